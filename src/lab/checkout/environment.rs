//! The environment of a command in the checkout: nothing in it leads back to the worktree.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use super::super::recipes::{self, Environment};
use super::Roots;
use super::git::LEADS_ELSEWHERE;

/// The environment in the checkout. `known_as` are the names of the worktree.
pub(super) fn environment(roots: Roots<'_>, known_as: &[&Path], given: Environment) -> Environment {
    let mut environment: Environment = given
        .into_iter()
        .filter(|(name, _)| !LEADS_ELSEWHERE.iter().any(|other| name == other))
        .map(|(name, value)| (name, carried_over(roots, known_as, value)))
        .collect();
    recipes::environment(roots, &mut environment);
    environment.retain(|(name, _)| name != "PWD" && name != "OLDPWD");
    environment.push(("PWD".into(), roots.checkout.into()));
    environment
}

fn carried_over(roots: Roots<'_>, known_as: &[&Path], value: OsString) -> OsString {
    let mut value = value.into_vec();
    for name in known_as {
        let stays = |rest: &[u8]| leads_to_shared(name, rest);
        let name = name.as_os_str().as_bytes();
        value = replace(&value, name, roots.checkout.as_os_str().as_bytes(), stays);
    }
    OsString::from_vec(value)
}

/// Whether what comes after the worktree's path is a folder that the checkout shares anyway.
fn leads_to_shared(worktree: &Path, rest: &[u8]) -> bool {
    let first = rest.strip_prefix(b"/").unwrap_or_default();
    let end = first.iter().position(|byte| b"/:;,= \"'".contains(byte));
    let first = &first[..end.unwrap_or(first.len())];
    !first.is_empty() && recipes::is_venv(&worktree.join(std::ffi::OsStr::from_bytes(first)))
}

/// Replaces a path where it stands as a path of its own, unless what follows it `stays`.
fn replace(text: &[u8], path: &[u8], with: &[u8], stays: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut made = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(path)
            && begins(&text[..at])
            && ends(&rest[path.len()..])
            && !stays(&rest[path.len()..])
        {
            made.extend_from_slice(with);
            at += path.len();
        } else {
            made.push(text[at]);
            at += 1;
        }
    }
    made
}

const SEPARATORS: &[u8] = b":;,= \"'\n\t";

/// Whether a path can begin after this: an option's letter may be in front of it, no other folder.
fn begins(before: &[u8]) -> bool {
    let word = before.iter().rposition(|byte| SEPARATORS.contains(byte));
    let word = &before[word.map_or(0, |at| at + 1)..];
    let option = word.starts_with(b"-") && !word.contains(&b'/');
    word.is_empty() || option || (word == b"//" && before.ends_with(b"://"))
}

fn ends(after: &[u8]) -> bool {
    after
        .first()
        .is_none_or(|byte| *byte == b'/' || SEPARATORS.contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_replaced_where_it_stands_alone() {
        for (text, made) in [
            ("/w/a", "/l"),
            ("/w/a/b", "/l/b"),
            ("/x:/w/a/b:/w/a", "/x:/l/b:/l"),
            ("-I/w/a/include -L/w/a/lib", "-I/l/include -L/l/lib"),
            ("--x=/w/a \"/w/a\"", "--x=/l \"/l\""),
            ("file:///w/a/b", "file:///l/b"),
            ("/other/w/a", "/other/w/a"),
            ("/w/ab", "/w/ab"),
            ("/w/a-b/c", "/w/a-b/c"),
            ("x/w/a", "x/w/a"),
            ("/w/a/.venv/bin:/w/a/bin", "/w/a/.venv/bin:/l/bin"),
            ("", ""),
        ] {
            let stays = |rest: &[u8]| rest.starts_with(b"/.venv");
            let got = replace(text.as_bytes(), b"/w/a", b"/l", stays);
            assert_eq!(String::from_utf8_lossy(&got), made, "{text}");
        }
    }

    #[test]
    fn nothing_leads_git_to_the_worktree() {
        let roots = Roots {
            worktree: Path::new("/w/a"),
            checkout: Path::new("/l"),
            has_setup: false,
        };
        let given = [
            ("GIT_DIR", "/w/a/.git"),
            ("RUBYLIB", "/w/a/lib"),
            ("PWD", "/w/a"),
        ];
        let given = given.map(|(name, value)| (name.into(), value.into()));
        let made = environment(roots, &[Path::new("/w/a")], given.to_vec());
        let expected = [("RUBYLIB", "/l/lib"), ("PWD", "/l")];
        assert_eq!(
            made,
            expected.map(|(name, value)| (name.into(), value.into()))
        );
    }
}
