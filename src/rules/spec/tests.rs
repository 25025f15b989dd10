use super::*;

const LOGIN: &str = "\
---
id: login
status: active
prd: docs/prd.md
---
# Login

### Requirement: Session
The system SHALL remember who is there.

#### Scenario: User logs in
- **GIVEN** a user
- **AND** a password
- **WHEN** they send it
- **THEN** a session begins
  - and it lasts

```md
#### Scenario: in a fence
```

<!--
#### Scenario: in a comment
-->

    #### Scenario: in a code block

#### Scenario 2 – Wrong password ####
Given a user
When: they err
Then they stay out

## Related / Triggers
- [logout](specs/logout.md)
- `specs/audit.md` too
";

#[test]
fn scenarios_stand_under_their_requirements() {
    for text in [
        LOGIN.to_owned(),
        LOGIN.replace('\n', "\r\n"),
        LOGIN.replace('\n', "\r"),
    ] {
        let spec = read_spec(&text).expect("a spec");
        assert_eq!(spec.id.as_deref(), Some("login"));
        assert_eq!(spec.prd.as_deref(), Some("docs/prd.md"));
        let titles: Vec<_> = spec.scenarios.iter().map(|s| s.title.as_str()).collect();
        assert_eq!(titles, ["User logs in", "Wrong password"]);
        assert!(
            spec.scenarios
                .iter()
                .all(|s| s.requirement.as_deref() == Some("Session"))
        );
        assert_eq!(spec.scenarios[0].line, 11);
        let kinds: Vec<_> = spec.scenarios[0].steps.iter().map(|s| s.kind).collect();
        use StepKind::{Given, Then, When};
        assert_eq!(kinds, [Given, Given, When, Then, Then]);
        let words: Vec<_> = spec.scenarios[1]
            .steps
            .iter()
            .map(|s| s.text.as_str())
            .collect();
        assert_eq!(words, ["a user", "they err", "they stay out"]);
        assert_eq!(spec.related, ["specs/logout.md", "specs/audit.md"]);
    }
}

#[test]
fn what_can_not_start_a_cycle() {
    for (text, why) in [
        ("", "no `#### Scenario"),
        (
            "### Scenario: too high\n##### Scenario: too low\n",
            "no `#### Scenario",
        ),
        ("####Scenario: no space\n", "no `#### Scenario"),
        ("#### Scenarios\n", "no `#### Scenario"),
        ("```\n#### Scenario: a\n", "no `#### Scenario"),
        ("---\nstatus: draft\n---\n#### Scenario: a\n", "`draft`"),
        ("---\nstatus:\n---\n#### Scenario: a\n", "``, not `active`"),
        (
            "---\nstatus: [active]\n---\n#### Scenario: a\n",
            "not `active`",
        ),
        ("---\nstatus: active\n#### Scenario: a\n", "front matter"),
        ("#### Scenario:\n", "no title"),
        ("#### Scenario: ???\n", "no title"),
        (
            "#### Scenario: Log in\n\n#### Scenario: log-in!\n",
            "twice, in lines 1 and 3",
        ),
    ] {
        let refusal = read_spec(text).unwrap_err().to_string();
        assert!(refusal.contains(why), "{text:?}: {refusal}");
    }
    for text in [
        "#### Scenario: a\n",
        "---\nstatus: Active\n---\n#### scenario a\n",
    ] {
        assert!(read_spec(text).is_ok(), "{text:?}");
    }
    assert!(check_prd("# no front matter\n").is_ok());
    assert!(check_prd("---\nstatus: draft\n---\n").is_err());
}

#[test]
fn the_hash_is_over_the_normalised_text() {
    let sha = |text: &str| -> String {
        let digest = Sha256::digest(text.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    for same in [
        "a\n\nb\n",
        "a\r\n\r\nb",
        "a \t\n \nb\n\n\n",
        "a\r\rb\r",
        "a\n\nb\n\u{a0}\n",
    ] {
        assert_eq!(normalised_hash(same), sha("a\n\nb\n"), "{same:?}");
    }
    for other in ["a\nb\n", " a\n\nb\n", "\na\n\nb\n", "a\n\nB\n"] {
        assert_ne!(normalised_hash(other), sha("a\n\nb\n"), "{other:?}");
    }
    assert_eq!(normalised_hash(""), sha("\n"));
}

#[test]
fn a_predecessor_is_marked() {
    let marked = marked_superseded("---\nid: a\nstatus: active\n---\n# A\nstatus: x\n", "b.md");
    assert_eq!(
        marked,
        "---\nid: a\nstatus: superseded\nsuperseded_by: b.md\n---\n# A\nstatus: x\n"
    );
    let marked = marked_superseded("# A\r\n", "b.md");
    assert!(
        marked.starts_with("---\r\nstatus: superseded\r\nsuperseded_by: b.md\r\n---\r\n\r\n# A")
    );
    assert!(read_spec(&marked).is_err());
}

#[test]
fn words_of_names() {
    for (text, words) in [
        ("User logs in", "user_logs_in"),
        ("testHTTPServerStarts", "test_http_server_starts"),
        ("the user's 2nd login!", "the_users_2nd_login"),
        ("x 'quoted'", "x_quoted"),
        ("Größe_ändern", "größe_ändern"),
        ("--", ""),
    ] {
        assert_eq!(slug(text), words, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(#### Scenario|---\n|```|~~~|<!--|-->|[#:*\\- \n\r\taé'A1]){0,30}") {
        let _ = read_spec(&text);
        let _ = slug(&text);
        let _ = normalised_hash(&text);
        let _ = marked_superseded(&text, "x");
    }
}
