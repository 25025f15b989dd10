//! The commands that the documentation shows, found and run.

use std::path::Path;

/// A piece of shell in a page: shown to readers, or hidden in a comment to set the scene.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) line: usize,
    pub(super) shell: String,
}

/// What the page wants to be run, in order: fences marked `sh`, and comments `<!-- run: … -->`.
pub(super) fn pieces(page: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut open: Option<(usize, bool, String)> = None;
    for (number, line) in page.lines().enumerate() {
        match &mut open {
            None if line.starts_with("<!-- run: ") => {
                let hidden = line
                    .trim_start_matches("<!-- run: ")
                    .trim_end_matches(" -->");
                found.push(Piece {
                    line: number + 1,
                    shell: format!("{hidden}\n"),
                });
            }
            None if line.starts_with("```") => {
                open = Some((number + 2, line == "```sh", String::new()));
            }
            None => {}
            Some((at, runs, shell)) if line.starts_with("```") => {
                if *runs {
                    found.push(Piece {
                        line: *at,
                        shell: std::mem::take(shell),
                    });
                }
                open = None;
            }
            Some((_, _, shell)) => {
                shell.push_str(line);
                shell.push('\n');
            }
        }
    }
    found
}

/// What stands in the fences of a page, each with its kind.
pub(super) fn fences(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for line in page.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            if !is_open {
                found.push((kind.to_owned(), String::new()));
            }
            is_open = !is_open;
        } else if let (true, Some((_, content))) = (is_open, found.last_mut()) {
            content.push_str(line);
            content.push('\n');
        }
    }
    found
}

/// One script of all pieces: it ends at the first line that fails. `# exits N` at the end of a line
/// says that this is how it has to end.
pub(super) fn script(pieces: &[Piece]) -> String {
    let mut script = String::from("set -e\n");
    for piece in pieces {
        script.push_str(&format!("echo '== line {}' >&2\n", piece.line));
        for line in piece.shell.lines() {
            match line.rsplit_once("# exits ") {
                Some((command, status)) => script.push_str(&format!(
                    "if {command}; then s=0; else s=$?; fi; [ $s -eq {status} ]\n"
                )),
                None => script.push_str(&format!("{line}\n")),
            }
        }
    }
    script
}

/// Every `git tcr …` in backticks.
pub(super) fn inline_commands(page: &str) -> Vec<String> {
    page.split('`')
        .skip(1)
        .step_by(2)
        .filter(|code| code.starts_with("git tcr ") && !code.contains('\n'))
        .map(str::to_owned)
        .collect()
}

/// The pages of the documentation, and the one that people see first.
pub(super) fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    let folder = std::fs::read_dir(root.join("docs")).expect("the documentation");
    paths.extend(
        folder
            .flatten()
            .map(|item| item.path())
            .filter(|path| path.extension().is_some_and(|end| end == "md")),
    );
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(root)
                .expect("inside")
                .display()
                .to_string();
            (name, std::fs::read_to_string(&path).expect("a page"))
        })
        .collect()
}

#[test]
fn fences_and_hidden_lines_are_found() {
    let page =
        "# a\n<!-- run: mkdir x -->\n```sh\ngit tcr run # exits 1\n```\n```toml\na = 1\n```\n";
    let found = pieces(page);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].shell, "mkdir x\n");
    assert_eq!(found[1].line, 4);
    assert!(script(&found).contains("if git tcr run ; then s=0; else s=$?; fi; [ $s -eq 1 ]"));
    assert_eq!(
        inline_commands("use `git tcr run` or `ls`"),
        ["git tcr run"]
    );
}
