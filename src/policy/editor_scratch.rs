//! Files that editors put beside the one that is being edited: swap files, locks, backups.

/// Whether a name is one that only editors give: such a file comes and goes with the window.
pub fn is_editor_scratch(name: &[u8]) -> bool {
    let starts = |start: &[u8]| name.starts_with(start);
    let ends = |end: &[u8]| name.len() > end.len() && name.ends_with(end);
    let unsaved = starts(b"#") && ends(b"#");
    // The file by which vim finds out whether it may write here.
    let probe = name == b"4913";
    let half_written = starts(b".goutputstream-") || ends(b"___jb_tmp___") || ends(b"___jb_old___");
    is_vim_swap(name)
        || is_emacs_lock(name)
        || unsaved
        || probe
        || half_written
        || ends(b".kate-swp")
        || ends(b"~")
}

/// `.add.py.swp`, `.add.py.swo` and so on.
pub fn is_vim_swap(name: &[u8]) -> bool {
    matches!(name, [b'.', .., b'.', b's', b'w', last] if last.is_ascii_lowercase())
}

/// `.#add.py`, a link that says who edits `add.py`.
pub fn is_emacs_lock(name: &[u8]) -> bool {
    name.starts_with(b".#")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_editors_give() {
        for name in [
            ".add.py.swp",
            ".add.py.swo",
            ".add.py.swx",
            "4913",
            "#add.py#",
            ".#add.py",
            "add.py~",
            ".add.py.un~",
            ".goutputstream-A1B2C3",
            ".add.py.kate-swp",
            "add.py___jb_tmp___",
        ] {
            assert!(is_editor_scratch(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn names_that_people_give() {
        for name in [
            "add.py",
            "add.swp",
            "~",
            "#",
            ".swift",
            ".env",
            "4913.py",
            "notes#1",
            ".swc.json",
            "Player.swf",
            ".gitignore",
            "a#b#c",
            "",
        ] {
            assert!(!is_editor_scratch(name.as_bytes()), "{name}");
        }
    }
}
