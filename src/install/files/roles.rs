//! The roles of a spec cycle, as sub-agents of the clients that have them, and a command that walks
//! the cycle.

use sha2::{Digest, Sha256};

use crate::event::Client;

/// A role's name and text: a line that describes it, a blank line, the prompt.
const ROLES: [(&str, &str); 4] = [
    (
        "planner",
        include_str!("../../../hooks-templates/roles/planner.md"),
    ),
    (
        "test-author",
        include_str!("../../../hooks-templates/roles/test-author.md"),
    ),
    (
        "validator",
        include_str!("../../../hooks-templates/roles/validator.md"),
    ),
    (
        "coder",
        include_str!("../../../hooks-templates/roles/coder.md"),
    ),
];
const COMMAND: &str = include_str!("../../../hooks-templates/roles/tcr.md");

const MARK: &str = "<!-- git-tcr ";

/// One file of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoleFile {
    pub(crate) client: Client,
    /// From the root.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Whose a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// As git tcr wrote it, in this version or another.
    Ours,
    /// Ours, and edited since.
    Edited,
    /// Somebody else's.
    Foreign,
}

/// The files of a client; none for a client without sub-agents of this kind.
pub(crate) fn files(client: Client) -> Vec<RoleFile> {
    let folder = match client {
        Client::ClaudeCode => ".claude",
        Client::OpenCode => ".opencode",
        Client::Codex | Client::Gemini | Client::Copilot | Client::Cursor => return Vec::new(),
    };
    let file = |path: String, text: String| RoleFile {
        client,
        path,
        text: marked(&text),
    };
    let mut files: Vec<RoleFile> = ROLES
        .iter()
        .map(|(name, template)| {
            let path = format!("{folder}/agents/tcr-{name}.md");
            file(path, agent(client, name, template))
        })
        .collect();
    let (about, prompt) = parts(COMMAND);
    let command = format!("---\ndescription: \"{about}\"\n---\n\n{prompt}");
    files.push(file(format!("{folder}/commands/tcr.md"), command));
    files
}

fn agent(client: Client, name: &str, template: &str) -> String {
    let (about, prompt) = parts(template);
    let front = match client {
        Client::ClaudeCode => {
            let tools = match name {
                "validator" => "Read, Grep, Glob, Bash",
                _ => "Read, Grep, Glob, Bash, Write, Edit",
            };
            format!("name: tcr-{name}\ndescription: \"{about}\"\ntools: {tools}")
        }
        _ => format!("description: \"{about}\"\nmode: subagent"),
    };
    format!("---\n{front}\n---\n\n{prompt}")
}

fn parts(template: &str) -> (&str, &str) {
    template.split_once("\n\n").unwrap_or((template, ""))
}

/// The text with a mark by which it is known, unless somebody edits it.
fn marked(text: &str) -> String {
    format!("{text}\n{MARK}{} -->\n", digest(text))
}

fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Whose a file is that stands where one of ours goes.
pub(crate) fn owner(text: &str) -> Owner {
    let Some((body, mark)) = text.rsplit_once(MARK) else {
        return Owner::Foreign;
    };
    let body = body.strip_suffix('\n').unwrap_or(body);
    match mark.trim_end().strip_suffix(" -->") {
        Some(known) if known == digest(body) => Owner::Ours,
        Some(_) | None => Owner::Edited,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_known_as_ours_until_it_is_edited() {
        let all: Vec<RoleFile> = Client::ALL.into_iter().flat_map(files).collect();
        assert_eq!(all.len(), 10);
        for file in all {
            assert_eq!(owner(&file.text), Owner::Ours, "{}", file.path);
            assert_eq!(
                owner(&file.text.replace("git tcr", "git-tcr")),
                Owner::Edited
            );
            assert!(file.text.starts_with("---\n"), "{}", file.text);
            let about = file
                .text
                .lines()
                .find(|line| line.starts_with("description: "));
            let quotes = about.expect("a description").matches('"').count();
            assert_eq!(quotes, 2, "{about:?}");
        }
        assert_eq!(owner("---\nname: mine\n---\n"), Owner::Foreign);
        assert_eq!(owner(""), Owner::Foreign);
    }

    #[test]
    fn the_front_matter_can_be_read() {
        for file in Client::ALL.into_iter().flat_map(files) {
            let read = crate::rules::spec::front_matter::front_matter(&file.text);
            assert!(matches!(read, Ok((Some(_), _))), "{}: {read:?}", file.path);
        }
    }
}
