//! What the worktree holds in another form than git stores it, by the attributes `working-tree-encoding`
//! and `ident`, goes through revert, recover and commit to the byte.

use crate::support::Repo;
use crate::support::world::MODE_TCR;

/// Text in UTF-16 with the low byte first, after some bytes of its own.
fn utf16(start: &[u8], text: &str) -> Vec<u8> {
    let units = text.encode_utf16().flat_map(u16::to_le_bytes);
    start.iter().copied().chain(units).collect()
}

fn there_and_back(attributes: &str, before: &[u8], after: &[u8]) {
    let repo = Repo::new();
    repo.write(".gitattributes", &format!("*.odd {attributes}\n"));
    repo.write_raw(b"sub/a.odd", before);
    let repo = repo.committed().configured(MODE_TCR);
    // As a checkout would have it.
    repo.remove("sub/a.odd");
    repo.git(&["checkout", "-q", "--", "sub/a.odd"]);
    let repo = repo.installed();
    let committed = repo.files();

    repo.write_raw(b"sub/a.odd", after);
    repo.write_raw(b"sub/new.odd", after);
    repo.write("tests/last.t", "false\n");
    let (expected, edited) = (repo.tree_by_git(), repo.files());
    let red = repo.run_json();
    assert_eq!(red["action"], "take_back", "{attributes}: {red}");
    assert_eq!(repo.files(), committed, "{attributes}: as it was");
    assert_eq!(repo.porcelain(), "", "{attributes}");
    assert_eq!(repo.tree("refs/tcr/reverts/main/1"), expected);
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.tree_by_git(), expected, "{attributes}");
    if !attributes.contains("ident") {
        assert_eq!(repo.files(), edited, "{attributes}: byte for byte");
    }

    repo.write("tests/last.t", "true\n");
    let expected = repo.tree_by_git();
    let green = repo.run_json();
    assert_eq!(green["action"], "commit", "{attributes}: {green}");
    assert_eq!(repo.tree("HEAD"), expected, "{attributes}");
    assert_eq!(repo.porcelain(), "", "{attributes}");
}

#[test]
fn text_in_two_bytes_a_letter() {
    const MARK: &[u8] = &[0xff, 0xfe];
    for (encoding, start) in [
        ("UTF-16LE", &[][..]),
        ("UTF-16", MARK),
        ("UTF-16LE-BOM", MARK),
    ] {
        let attributes = format!("text working-tree-encoding={encoding}");
        let (before, after) = (utf16(start, "één\n"), utf16(start, "twee\n€\n"));
        there_and_back(&attributes, &before, &after);
    }
    let attributes = "text working-tree-encoding=UTF-16LE eol=crlf";
    let (before, after) = (utf16(&[], "één\r\n"), utf16(&[], "twee\r\n€\r\n"));
    there_and_back(attributes, &before, &after);
}

#[test]
fn encodings_of_old() {
    let attributes = "text working-tree-encoding=ISO-8859-1";
    there_and_back(attributes, b"\xe9\xe9n\n", b"deux \xe0 deux\n");
    // Not one that gix knows.
    let attributes = "text working-tree-encoding=CP437";
    there_and_back(attributes, b"\x82\x82n\n", b"deux \x85 deux\n");
}

#[test]
fn the_id_of_a_file_in_itself() {
    there_and_back("ident", b"one $Id$\n", b"two $Id$\n$Id$\n");
}
