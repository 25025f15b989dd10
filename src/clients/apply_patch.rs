//! Which files a patch touches: the envelope coding agents use, and unified diffs.

/// One file a patch changes. A rename is a delete and a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// The file is created or changed.
    Write(String),
    /// The file is removed or renamed away.
    Delete(String),
}

/// A patch that names no file, or whose form is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the patch names no file")]
pub(crate) struct UnreadablePatch;

pub(super) const BEGIN: &str = "*** Begin Patch";
pub(super) const END: &str = "*** End Patch";

/// The files a patch changes, whichever of the two forms it has.
pub(crate) fn changes(patch: &str) -> Result<Vec<Change>, UnreadablePatch> {
    let has_envelope = patch.lines().any(|line| line.trim() == BEGIN);
    let mut found = if has_envelope {
        envelope(patch)?
    } else {
        unified_diff(patch, 1)
    };
    if !has_envelope {
        // Paths without the `a/` and `b/` that git puts before them.
        found.extend(unified_diff(patch, 0));
    }
    if found.is_empty() {
        Err(UnreadablePatch)
    } else {
        Ok(found)
    }
}

fn envelope(patch: &str) -> Result<Vec<Change>, UnreadablePatch> {
    let mut found = Vec::new();
    let mut updated: Option<String> = None;
    let body = patch
        .lines()
        .skip_while(|line| line.trim() != BEGIN)
        .skip(1);
    for line in body {
        // Added, removed and kept lines start with `+`, `-` or a blank: what looks like a header
        // there is text.
        if line.starts_with(['+', '-', ' ']) && !line.trim_start().starts_with("*** ") {
            continue;
        }
        if line.starts_with(['+', '-']) {
            continue;
        }
        let is_at_margin = line.starts_with("*** ");
        let line = line.trim();
        if line == END {
            break;
        }
        if let Some(path) = header(line, "*** Add File:") {
            found.push(Change::Write(path));
        } else if let Some(path) = header(line, "*** Delete File:") {
            found.push(Change::Delete(path));
        } else if let Some(path) = header(line, "*** Update File:") {
            found.push(Change::Write(path.clone()));
            updated = Some(path);
        } else if let Some(path) =
            header(line, "*** Move to:").or_else(|| header(line, "*** Move File To:"))
        {
            found.extend(updated.take().map(Change::Delete));
            found.push(Change::Write(path));
        } else if is_at_margin && !matches!(line, BEGIN | "*** End of File") {
            // Whatever it asks for, it is not among what is judged here.
            return Err(UnreadablePatch);
        }
    }
    Ok(found)
}

pub(super) fn header(line: &str, name: &str) -> Option<String> {
    let path = line.strip_prefix(name)?.trim();
    (!path.is_empty()).then(|| path.to_owned())
}

/// The files a unified or context diff changes, with `strip` leading components taken off.
pub(crate) fn unified_diff(diff: &str, strip: usize) -> Vec<Change> {
    let mut found = Vec::new();
    let mut old: Option<String> = None;
    let mut lines_of_hunk = (0u32, 0u32);
    for line in diff.lines() {
        let line = line.trim_end_matches('\r');
        if lines_of_hunk.0 > 0 || lines_of_hunk.1 > 0 {
            lines_of_hunk = after_hunk_line(line, lines_of_hunk);
            continue;
        }
        if let Some(counts) = hunk_counts(line) {
            lines_of_hunk = counts;
        } else if let Some(path) = line
            .strip_prefix("--- ")
            .or_else(|| line.strip_prefix("*** "))
        {
            old = Some(diff_path(path, strip));
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let new = diff_path(path, strip);
            found.extend(both_sides(old.take(), new));
        } else if let Some(path) = ["rename from ", "copy from "]
            .iter()
            .find_map(|p| line.strip_prefix(p))
        {
            if line.starts_with("rename") {
                found.push(Change::Delete(unquoted(path)));
            }
        } else if let Some(path) = ["rename to ", "copy to "]
            .iter()
            .find_map(|p| line.strip_prefix(p))
        {
            found.push(Change::Write(unquoted(path)));
        } else if let Some(paths) = line.strip_prefix("diff --git ") {
            // A change of mode, or of a binary file, has no other line with the name.
            if let Some((_, path)) = paths.rsplit_once(' ') {
                found.push(Change::Write(stripped(&unquoted(path), strip)));
            }
        } else if let Some(path) = line.strip_prefix("Index: ") {
            found.push(Change::Write(stripped(path.trim(), strip)));
        }
    }
    found.dedup();
    found
}

fn both_sides(old: Option<String>, new: String) -> Vec<Change> {
    let nothing = "/dev/null";
    match (old, new) {
        (Some(old), new) if new == nothing => vec![Change::Delete(old)],
        (Some(old), new) if old == nothing || old == new => vec![Change::Write(new)],
        // Which of two names is meant depends on what is there.
        (Some(old), new) => vec![Change::Write(old), Change::Write(new)],
        (None, new) if new == nothing => Vec::new(),
        (None, new) => vec![Change::Write(new)],
    }
}

fn diff_path(text: &str, strip: usize) -> String {
    let path = text.split('\t').next().unwrap_or(text);
    let path = unquoted(path.trim_end());
    if path == "/dev/null" {
        path
    } else {
        stripped(&path, strip)
    }
}

fn unquoted(path: &str) -> String {
    path.trim().trim_matches('"').to_owned()
}

fn stripped(path: &str, strip: usize) -> String {
    let mut rest = path;
    for _ in 0..strip {
        match rest.split_once('/') {
            Some((_, after)) => rest = after.trim_start_matches('/'),
            None => break,
        }
    }
    rest.to_owned()
}

/// `@@ -1,2 +3,4 @@`: how many old and new lines follow.
fn hunk_counts(line: &str) -> Option<(u32, u32)> {
    let ranges = line.strip_prefix("@@ -")?;
    let (old, rest) = ranges.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| match range.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    Some((count(old)?, count(new)?))
}

fn after_hunk_line(line: &str, (old, new): (u32, u32)) -> (u32, u32) {
    match line.chars().next() {
        Some('-') => (old.saturating_sub(1), new),
        Some('+') => (old, new.saturating_sub(1)),
        Some('\\') => (old, new),
        // A header in the middle: the counts were wrong, so they are not believed.
        Some('d') if line.starts_with("diff --git ") => (0, 0),
        _ => (old.saturating_sub(1), new.saturating_sub(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &str) -> Change {
        Change::Write(path.to_owned())
    }

    fn delete(path: &str) -> Change {
        Change::Delete(path.to_owned())
    }

    #[test]
    fn the_envelope_names_every_file() {
        let patch = "*** Begin Patch\n*** Add File: a\n+*** Delete File: no\n*** Update File:  b \r\n*** Move to: c\n@@\n-x\n+y\n*** Delete File: d\n*** End Patch\n*** Delete File: e\n";
        let expected = vec![write("a"), write("b"), delete("b"), write("c"), delete("d")];
        assert_eq!(changes(patch), Ok(expected));
    }

    #[test]
    fn unified_diffs_name_every_file() {
        for (diff, expected) in [
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", vec![write("x")]),
            (
                "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
                vec![delete("x")],
            ),
            (
                "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
                vec![write("x")],
            ),
            (
                "diff --git a/x b/y\nrename from x\nrename to y\n",
                vec![write("y"), delete("x"), write("y")],
            ),
            (
                "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n--- q\n+++ r\n",
                vec![write("x")],
            ),
            ("--- a/x\t2024\r\n+++ b/x\t2025\r\n", vec![write("x")]),
            (
                "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
                vec![write("x")],
            ),
        ] {
            assert_eq!(unified_diff(diff, 1), expected, "{diff}");
        }
    }

    #[test]
    fn a_patch_without_files_is_not_understood() {
        assert_eq!(changes("hello"), Err(UnreadablePatch));
        assert_eq!(changes(""), Err(UnreadablePatch));
    }
}
