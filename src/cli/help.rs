//! `git tcr --help`: the commands by the occasion on which one needs them.

/// Occasions, and their commands.
const OCCASIONS: [(&str, &[&str]); 8] = [
    ("Begin", &["install", "demo", "doctor"]),
    (
        "Work",
        &["run", "watch", "status", "phase", "step", "output"],
    ),
    ("Go back", &["recover", "spike"]),
    ("Finish", &["squash", "push", "fetch", "verify", "audit"]),
    (
        "Work from a spec",
        &[
            "start",
            "plan",
            "freeze",
            "test-bug",
            "supersede",
            "evidence",
        ],
    ),
    (
        "Look closer",
        &["check", "ingest", "smells", "log", "stats", "report"],
    ),
    (
        "Ease the rules",
        &["allow", "mode", "off", "on", "uninstall"],
    ),
    ("For programs", &["statusline", "mcp", "completions", "man"]),
];

/// The grammar with a help that lists its commands by occasion.
pub(super) fn by_occasion(grammar: clap::Command) -> clap::Command {
    let mut plain = grammar.clone();
    plain.build();
    let help = text(&plain);
    grammar.override_help(help)
}

fn text(grammar: &clap::Command) -> String {
    let about = |command: &clap::Command| command.get_about().map(ToString::to_string);
    let name = grammar.get_bin_name().unwrap_or_else(|| grammar.get_name());
    let mut text = format!(
        "{}\n\nUsage: {name} <COMMAND>; `{name} help COMMAND` tells more\n",
        about(grammar).unwrap_or_default()
    );
    for (occasion, names) in OCCASIONS {
        text.push_str(&format!("{occasion}:\n"));
        for command in names
            .iter()
            .filter_map(|name| grammar.find_subcommand(name))
        {
            let what = about(command).unwrap_or_default();
            text.push_str(&format!("  {:<12} {what}\n", command.get_name()));
        }
    }
    text.push_str(&format!(
        "\n`{name} --version` prints the version. Start with `{name} install`."
    ));
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_stands_once_on_one_screen() {
        let mut grammar = Cli::command();
        grammar.build();
        let listed: Vec<&str> = OCCASIONS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let once: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(listed.len(), once.len());
        let shown = grammar.get_subcommands().filter(|one| !one.is_hide_set());
        let shown: BTreeSet<&str> = shown.map(clap::Command::get_name).collect();
        let shown: BTreeSet<&str> = shown.into_iter().filter(|name| *name != "help").collect();
        assert_eq!(once, shown);
        let text = text(&grammar);
        assert!(text.lines().count() <= 50, "{text}");
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    }
}
