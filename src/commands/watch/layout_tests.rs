use super::*;

fn text_of(lines: &[Line]) -> Vec<String> {
    let text = |line: &Line| line.iter().map(|(_, text)| text.as_str()).collect();
    lines.iter().map(text).collect()
}

#[test]
fn a_hint_is_worth_more_than_all_of_the_output() {
    let mut message = Message::new(Tone::Bad, "kept, not committed: 1 file").fact("a reason");
    // Lines of it may be empty.
    message.facts.extend(vec!["|".into(); 30]);
    message
        .facts
        .extend((1..=30).map(|line| format!("| output {line}")));
    let happened = [Happened {
        at: 0,
        message: message.hint("the way on"),
    }];
    let shown = Shown {
        now: 0,
        view: None,
        activity: Activity::Idle,
        happened: &happened,
        turn: None,
        prompt: None,
        help: false,
    };
    for height in [12, 24] {
        let screen = text_of(&lines(&shown, 80, height));
        assert_eq!(screen.len(), height);
        let holds = |part: &str| screen.iter().any(|line| line.contains(part));
        assert!(holds("hint: the way on"), "{screen:#?}");
        assert!(holds("a reason"), "{screen:#?}");
        // How it ends says more than how it begins.
        assert!(holds("output 30") && !holds("output 1 "), "{screen:#?}");
    }
}
