//! The roles of a spec cycle, as sub-agents of the clients that have them, and a command that walks
//! the cycle.

use sha2::{Digest, Sha256};

use super::Client;

/// A role's name and text: a line that describes it, a blank line, the prompt.
const ROLES: [(&str, &str); 4] = [
    (
        "planner",
        include_str!("../../hooks-templates/roles/planner.md"),
    ),
    (
        "test-author",
        include_str!("../../hooks-templates/roles/test-author.md"),
    ),
    (
        "validator",
        include_str!("../../hooks-templates/roles/validator.md"),
    ),
    (
        "coder",
        include_str!("../../hooks-templates/roles/coder.md"),
    ),
];
const COMMAND: &str = include_str!("../../hooks-templates/roles/tcr.md");

const MARK: &str = "<!-- git-tcr ";

/// How a client has roles.
pub(super) struct Roles {
    /// The folder of its sub-agents and commands.
    pub(super) folder: &'static str,
    /// What is said of a role, by its name and what it is about, at the top of its file.
    pub(super) front: fn(&str, &str) -> String,
}

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
    let Some(Roles { folder, front }) = &client.roles else {
        return Vec::new();
    };
    let file = |path: String, front: &str, prompt: &str| RoleFile {
        client,
        path: format!("{folder}/{path}"),
        text: marked(&format!("---\n{front}\n---\n\n{prompt}")),
    };
    let mut files: Vec<RoleFile> = ROLES
        .iter()
        .map(|(name, template)| {
            let (about, prompt) = parts(template);
            file(format!("agents/tcr-{name}.md"), &front(name, about), prompt)
        })
        .collect();
    let (about, prompt) = parts(COMMAND);
    let about = format!("description: \"{about}\"");
    files.push(file("commands/tcr.md".into(), &about, prompt));
    files
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
        let all: Vec<RoleFile> = Client::all().flat_map(files).collect();
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
}
