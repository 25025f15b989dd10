//! The documentation is true: its commands run, its tables are the program's own, its links lead
//! somewhere.

mod fences;
mod generated;
mod picture;
mod schema;

use std::path::{Path, PathBuf};

use clap::Parser;
use git_tcr::cli::Cli;
use git_tcr::clients::Client;

use crate::support::{PROGRAM, Ran, Repo};

/// Set to write generated pages instead of comparing them: `just docs`.
const UPDATE: &str = "UPDATE_DOCS";

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs")
        .join(name)
}

fn is_up_to_date(name: &str, made: &str) {
    let path = docs(name);
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, made).expect("a page");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == made,
        "`docs/{name}` is out of date: run `just docs`"
    );
}

#[test]
fn the_page_of_commands_is_up_to_date() {
    is_up_to_date("commands.md", &generated::commands());
}

#[test]
fn the_page_of_config_keys_is_up_to_date() {
    is_up_to_date("config.md", &generated::config());
}

#[test]
fn the_page_of_clients_is_up_to_date() {
    is_up_to_date("clients.md", &generated::clients());
}

#[test]
fn the_page_of_test_runners_is_up_to_date() {
    is_up_to_date("runners.md", &generated::test_runners());
}

#[test]
fn the_schema_of_the_config_is_up_to_date() {
    is_up_to_date("tcr.schema.json", &schema::schema());
}

#[test]
fn every_command_in_the_documentation_runs() {
    let mut failed = Vec::new();
    for (name, page) in fences::pages() {
        let pieces = fences::pieces(&page);
        if pieces.is_empty() {
            continue;
        }
        // Each page has a repository of its own, with a program called `git-tcr` on the PATH.
        let repo = Repo::new().configured("test = \"./run-tests\"\npatience = 5\n");
        let bin = repo.around().join("bin");
        std::fs::create_dir(&bin).expect("a new folder");
        std::os::unix::fs::symlink(PROGRAM, bin.join("git-tcr")).expect("a link");
        let path = path_without_clients();
        let mut command = repo.command("sh");
        command
            .env("PATH", format!("{}:{path}", bin.display()))
            .args(["-c", &fences::script(&pieces)]);
        let ran = Ran::from(command.output().expect("sh runs"));
        if ran.status != 0 {
            failed.push(format!("{name}:\n{}\n{}", ran.stdout, ran.stderr));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The programs of this machine but for clients: what a page says of the clients in use is not to
/// depend on which are here.
fn path_without_clients() -> String {
    let path = std::env::var("PATH").expect("a PATH");
    let has_client = |folder: &&str| {
        let mut programs = Client::ALL.iter().flat_map(|client| client.programs);
        programs.any(|program| Path::new(folder).join(program).exists())
    };
    let folders: Vec<&str> = path
        .split(':')
        .filter(|folder| !has_client(folder))
        .collect();
    folders.join(":")
}

/// What is not shell is held against its reader: the config against the program, JSON against its
/// grammar. A kind of fence that nobody checks is not there, and none of them hides a command.
#[test]
fn every_other_fence_is_checked_too() {
    for (name, page) in fences::pages() {
        for (kind, content) in fences::fences(&page) {
            match kind.as_str() {
                "sh" | "sh by-ci" => {}
                "toml" => is_accepted_config(&name, &content),
                "json" => {
                    let read = serde_json::from_str::<serde_json::Value>(&content);
                    assert!(read.is_ok(), "{name}: {content}");
                }
                // Held against a real run by the tests about CI.
                "yaml" if name == "docs/ci.md" || name == "docs/audit.md" => {}
                // Made from the program's own table.
                "text" if name == "docs/commands.md" => {}
                "text" | "python" | "markdown" => {
                    let hides = content.lines().any(|line| line.starts_with("git tcr "));
                    assert!(!hides, "{name}: {content}");
                }
                unknown => panic!("{name}: nobody checks a fence of kind {unknown:?}"),
            }
        }
    }
}

fn is_accepted_config(name: &str, content: &str) {
    let repo = Repo::new();
    for folder in ["packages/core/a", "packages/web/a"] {
        repo.write(folder, "");
    }
    // A part of a config is shown without the rest of it.
    let test = match content.contains("\ntest =") || content.starts_with("test =") {
        true => "",
        false => "test = \"./run-tests\"\n",
    };
    repo.write(".tcr.toml", &format!("{test}{content}"));
    let ran = repo.tcr(&["install", "--yes", "--dry-run"]);
    assert_eq!(ran.status, 0, "{name}: {content}\n{}", ran.stderr);
}

#[test]
fn every_command_named_in_the_text_exists() {
    let mut wrong = Vec::new();
    for (name, page) in fences::pages() {
        for command in fences::inline_commands(&page) {
            if let Err(error) = Cli::try_parse_from(words(&command))
                && error.use_stderr()
            {
                wrong.push(format!("{name}: `{command}`: {}", error.kind()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The words of a command, with something to stand for what readers put in themselves.
fn words(command: &str) -> Vec<String> {
    let words = command
        .strip_prefix("git tcr ")
        .unwrap_or(command)
        .split(' ');
    let words = words
        .map(|word| word.trim_matches('"'))
        .map(|word| match word {
            "N" => "1".to_owned(),
            "M" => "both".to_owned(),
            "P" => "red".to_owned(),
            "SHELL" => "bash".to_owned(),
            "NAME" => "opencode".to_owned(),
            word => word.to_owned(),
        });
    std::iter::once("git-tcr".to_owned()).chain(words).collect()
}

#[test]
fn what_the_readme_says_first_is_run_by_ci() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ci = std::fs::read_to_string(root.join(".ci/run")).expect("what CI runs");
    let ci = ci.replace(" --locked", "");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    let first = readme.split("```sh by-ci\n").nth(1).expect("a fence");
    let lines: Vec<&str> = first
        .lines()
        .take_while(|line| !line.starts_with("```"))
        .collect();
    assert!(!lines.is_empty());
    for line in lines {
        let command = line.split('#').next().unwrap_or_default().trim();
        assert!(ci.contains(command), "{command}");
    }
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, page) in fences::pages() {
        let folder = root.join(&name);
        let folder = folder.parent().expect("a folder");
        for link in page.split("](").skip(1) {
            let link = link.split([')', '#', ' ']).next().unwrap_or_default();
            if link.is_empty() || link.contains("://") {
                continue;
            }
            assert!(folder.join(link).exists(), "{name} links to {link}");
        }
    }
}
