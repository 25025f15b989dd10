//! Calls of `git tcr` itself: which are for people, and who certifies tests.

use super::DenyReason;

/// A call of `git tcr`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TcrCommand {
    words: Vec<String>,
}

impl TcrCommand {
    /// The call with these arguments.
    pub fn new(arguments: &[String]) -> Self {
        TcrCommand {
            words: arguments.to_vec(),
        }
    }

    fn has(&self, flag: &str) -> bool {
        self.words
            .iter()
            .take_while(|word| *word != "--")
            .any(|word| word == flag)
    }

    /// Whether a word begins like this: a flag, maybe with its value.
    fn begins(&self, flag: &str) -> bool {
        let mut own = self.words.iter().take_while(|word| *word != "--");
        own.any(|word| word.starts_with(flag))
    }

    /// The command of git-tcr that is called.
    pub fn verb(&self) -> Option<&str> {
        self.operands().next()
    }

    /// The words that are no options.
    fn operands(&self) -> impl Iterator<Item = &str> {
        let before_dashes = self.words.iter().take_while(|word| *word != "--");
        before_dashes
            .map(String::as_str)
            .filter(|word| !word.starts_with('-'))
    }
}

/// Judges a call of `git tcr`.
pub fn judge_tcr(command: &TcrCommand) -> Option<DenyReason> {
    let asks_for_help = ["--help", "-h", "--version", "-V"]
        .iter()
        .any(|flag| command.has(flag));
    let mut operands = command.operands();
    let verb = operands.next().filter(|_| !asks_for_help)?;
    let second = operands.next();
    let allowed = match verb {
        "doctor" | "status" | "statusline" | "step" | "run" | "check" | "start" | "plan"
        | "freeze" | "evidence" | "recover" | "push" | "fetch" | "log" | "stats" | "report"
        | "smells" | "ingest" | "watch" | "mcp" | "demo" | "completions" | "man" | "help" => true,
        // They read; the commands that they can be given are for people to give.
        "audit" | "verify" => !["--setup", "--test", "--out", "--sarif=", "--markdown="]
            .iter()
            .any(|flag| command.begins(flag)),
        "phase" => !command.has("--abandon"),
        "test-bug" => !matches!(second, Some("accept" | "reject")),
        "squash" => command.has("--dry-run") && !command.has("--undo"),
        // Everything else is for people, what hooks call is for hooks, and what is not known is
        // not allowed.
        _ => false,
    };
    (!allowed).then(|| DenyReason::PeoplesCommand {
        command: verb.to_owned(),
    })
}

/// Judges who certifies tests: an agent only as itself. `identity` is none where the client can't
/// tell its agents apart.
pub fn judge_certifier(command: &TcrCommand, identity: Option<&str>) -> Option<DenyReason> {
    let asks_for_help = command.has("--help") || command.has("-h");
    if command.verb() != Some("freeze") || command.has("--auto") || asks_for_help {
        return None;
    }
    let mut words = command.words.iter();
    let mut by = Vec::new();
    while let Some(word) = words.next() {
        match word.strip_prefix("--by") {
            Some("") => by.extend(words.next().map(String::as_str)),
            Some(value) => by.extend(value.strip_prefix('=')),
            None => {}
        }
    }
    let is_caller =
        identity.is_some() && !by.is_empty() && by.iter().all(|by| Some(*by) == identity);
    (!is_caller).then(|| DenyReason::NotTheCaller {
        identity: identity.map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peoples_commands() {
        for (line, denied) in [
            ("off", true),
            ("--json off", true),
            ("install --yes", true),
            ("squash", true),
            ("squash --dry-run", false),
            ("squash --dry-run --undo", true),
            ("phase refactor", false),
            ("phase done --abandon", true),
            ("test-bug accept 1", true),
            ("test-bug tests/a.py:3 wrong", false),
            ("status", false),
            ("run -- pytest", false),
            ("verify --replay", false),
            ("verify --replay --setup x", true),
            ("audit main..HEAD --json", false),
            ("audit --setup x", true),
            ("audit --test=x", true),
            ("audit --sarif", false),
            ("audit --sarif=a.py", true),
            ("audit --run whole --out a.py", true),
            ("off --help", false),
            ("session --client x", true),
            // It leaves word of who calls, which is for the client's own hooks to say.
            ("gate --client x", true),
            ("unheard-of", true),
            ("", false),
        ] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(
                judge_tcr(&TcrCommand::new(&words)).is_some(),
                denied,
                "{line}"
            );
        }
    }

    #[test]
    fn an_agent_certifies_as_itself() {
        let own = Some("claude-code:s/a");
        for (line, identity, denied) in [
            ("freeze --verdict pass --by claude-code:s/a", own, false),
            ("freeze --by=claude-code:s/a --verdict pass", own, false),
            ("freeze --verdict pass --by Grace", own, true),
            (
                "freeze --verdict pass --by claude-code:s/a --by Grace",
                own,
                true,
            ),
            ("freeze --verdict pass", own, true),
            ("freeze --verdict pass --by", own, true),
            ("freeze --verdict pass --by Grace", None, true),
            ("freeze --auto", None, false),
            ("freeze --help", None, false),
            ("status --by Grace", own, false),
        ] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let found = judge_certifier(&TcrCommand::new(&words), identity);
            assert_eq!(found.is_some(), denied, "{line}");
        }
    }
}
