//! Pages that are made from the program's own tables.

use std::fmt::Write as _;

use clap::CommandFactory;
use git_tcr::cli::Cli;
use git_tcr::clients::Client;
use git_tcr::config::{KEYS, Scope};
use git_tcr::runners;

/// `docs/clients.md`
pub(super) fn clients() -> String {
    let mut page = String::from(
        "# Clients\n\nMade from the program's own table by `just docs`. \
         `git tcr install` puts hooks in for each client that is in use; `--client NAME` picks one. \
         Next to a client is the version whose real program went through a whole story with a scripted model: \
         a denied write, a failing test, a wrong step, cheats, green. \
         Where there is none only its documentation or its code was read, and its messages are fixtures. \
         For a client that is not here there is [a form of our own](any-client.md).\n\n\
         | client | `--client` | hooks, for one person | for the team | what you do once | tried with |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for client in Client::ALL {
        let _ = writeln!(
            page,
            "| {} | `{}` | `{}` | `{}` | {} | {} |",
            client.title,
            client.name,
            client.personal_file(),
            client.shared_file,
            client.once().unwrap_or("nothing"),
            client.tried.unwrap_or("not tried"),
        );
    }
    page
}

/// `docs/commands.md`
pub(super) fn commands() -> String {
    let mut page = String::from(
        "# Commands\n\nMade from the command line's own table by `just docs`. \
         Exit status: 0 done; 1 the tool's \"no\" (denied, kept red, taken back, a check that does not hold); \
         2 it could not decide, bad usage or environment. \
         Every command that prints facts takes `--json`; what could not be done is then \
         `{\"action\":\"error\",\"reason\":…,\"hints\":[…]}`.\n",
    );
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let visible: Vec<_> = root
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .collect();
    page.push_str("\n| command | does |\n| --- | --- |\n");
    for command in &visible {
        let name = command.get_name();
        let about = text(command.get_about());
        let _ = writeln!(page, "| [`{name}`](#git-tcr-{name}) | {about} |");
    }
    for command in visible {
        section(
            &mut page,
            command,
            &format!("git tcr {}", command.get_name()),
            2,
        );
    }
    page
}

fn section(page: &mut String, command: &clap::Command, name: &str, level: usize) {
    let about = command.get_long_about().or(command.get_about());
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    let _ = write!(
        page,
        "\n{} {name}\n\n{}\n\n```text\n{usage}\n```\n",
        "#".repeat(level),
        text(about)
    );
    let arguments: Vec<_> = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set() && !is_everywhere(argument))
        .collect();
    if !arguments.is_empty() {
        page.push_str("\n| argument | what it does |\n| --- | --- |\n");
    }
    for argument in arguments {
        let help = text(argument.get_long_help().or(argument.get_help()));
        let values: Vec<String> = argument
            .get_possible_values()
            .iter()
            .filter(|value| !value.is_hide_set() && argument.get_action().takes_values())
            .map(|value| match value.get_help() {
                Some(help) => format!("`{}`: {}", value.get_name(), plain(help)),
                None => format!("`{}`", value.get_name()),
            })
            .collect();
        let values = match values.is_empty() {
            true => String::new(),
            false => format!(" ({})", values.join("; ")),
        };
        let _ = writeln!(page, "| `{}` | {help}{values} |", shown(argument));
    }
    for inner in command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set())
    {
        section(
            page,
            inner,
            &format!("{name} {}", inner.get_name()),
            level + 1,
        );
    }
}

fn is_everywhere(argument: &clap::Arg) -> bool {
    ["help", "version"].contains(&argument.get_id().as_str())
}

fn shown(argument: &clap::Arg) -> String {
    let value = argument
        .get_value_names()
        .filter(|_| argument.get_action().takes_values())
        .map(|names| names.join(" "));
    match (argument.get_short(), argument.get_long(), value) {
        (Some(short), Some(long), Some(value)) => format!("-{short}, --{long} {value}"),
        (Some(short), Some(long), None) => format!("-{short}, --{long}"),
        (None, Some(long), Some(value)) => format!("--{long} {value}"),
        (None, Some(long), None) => format!("--{long}"),
        (Some(short), None, Some(value)) => format!("-{short} {value}"),
        (Some(short), None, None) => format!("-{short}"),
        (None, None, value) => value.unwrap_or_else(|| argument.get_id().to_string()),
    }
}

fn text(styled: Option<&clap::builder::StyledStr>) -> String {
    styled.map(plain).unwrap_or_default()
}

fn plain(styled: &clap::builder::StyledStr) -> String {
    let text = styled.to_string();
    text.replace("\n\n", "\u{1}")
        .replace('\n', " ")
        .replace('\u{1}', "\n\n")
        .replace('|', "\\|")
}

/// `docs/config.md`
pub(super) fn config() -> String {
    let mut page = String::from(
        "# The config\n\n`.tcr.toml` at the root of the repository, committed and reviewed like code; \
         your own defaults in `~/.config/git-tcr/config.toml`. Only what a person accepted with \
         `git tcr install` is obeyed, and it shows what is new: a changed file changes nothing until then. \
         `git tcr status` says so of `.tcr.toml`, `git tcr doctor` of your defaults too. An unknown key or a bad value is an error that names the line and the nearest right \
         key, one of an earlier version an error that names what took its place.\n\nMade from the program's own table by `just docs`. Editors that read JSON schemas for \
         TOML complete and check the file with [tcr.schema.json](tcr.schema.json): \
         put `#:schema PATH-OR-ADDRESS-OF-IT` on its first line.\n",
    );
    for (scope, title) in [
        (Scope::Top, "At the top"),
        (Scope::Validator, "Under `[validator]`"),
        (Scope::Smells, "Under `[smells]`"),
        (Scope::Project, "Under each `[[project]]`"),
    ] {
        let _ = write!(
            page,
            "\n## {title}\n\n| key | default | example | what it does |\n| --- | --- | --- | --- |\n"
        );
        for key in KEYS.iter().filter(|key| key.scope == scope) {
            let code = |toml: &str| match toml {
                "" => String::new(),
                toml => format!("`{}`", toml.replace('|', "\\|")),
            };
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | {} |",
                key.name,
                code(key.default),
                code(key.example),
                key.about.replace('|', "\\|")
            );
        }
    }
    page
}

/// `docs/runners.md`
pub(super) fn test_runners() -> String {
    let mut page = String::from(
        "# Test runners\n\nMade from the shelf of runners by `just docs`. Each is found behind scripts, task \
         runners, wrappers and package managers, and asked for a report without a change to the project. \
         Where it can't be asked, its output is read; where that tells nothing, the exit status is left, \
         and `report` in the [config](config.md) names a file of results.\n\n\
         | runner | known by | asked for a report | some tests alone | tried with |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    for runner in runners::all() {
        let aimed = match runner.can_be_aimed() {
            true => "yes",
            false => "no",
        };
        let _ = writeln!(
            page,
            "| {} | {} | {} | {aimed} | {} |",
            runner.name,
            runner.known(),
            runner.asked,
            runner.tried.unwrap_or("not tried with the real program")
        );
    }
    page
}
