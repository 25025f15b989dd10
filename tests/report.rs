//! `git tcr report`: one page about a branch.

use serde_json::Value;

use crate::support::{PROGRAM, Ran, Repo, programs};

const NASTY: &str = "feat/<script>alert('1')&\"x";

/// A branch, a path and a test whose names are markup; a revert, a put-back, two cycles.
fn nasty_history() -> Repo {
    let repo = Repo::new();
    repo.git(&["switch", "-q", "-c", NASTY]);
    let repo = repo.installed();
    repo.write("tests/<b>add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    repo.run_json();
    repo.write(
        "src/add.sh",
        "add() {\n  echo '<img src=x onerror=alert(2)>'\n}\n",
    );
    repo.run_json();
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    repo.run_json();
    repo.write("src/<i>early.py", "def early():\n    return 1\n");
    repo.run_json();
    repo.write("tests/more.t", "[ \"$(more)\" = 3 ]\n");
    repo.run_json();
    repo
}

impl Repo {
    fn page(&self) -> String {
        self.tcr(&["report", "--out", "-"]).success().stdout
    }
}

#[test]
fn the_page_is_whole_and_nothing_in_it_comes_from_outside() {
    let page = nasty_history().page();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    for part in [
        "The way through the phases",
        "Tests over time",
        "Size of the steps",
        "Time in each phase",
        "Taken back, by cause",
        "Taken back, with its content",
        "id=\"c1\"",
        "id=\"r1\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for outside in [
        "<script", "http:", "https:", "@import", "url(", "<link", "<img", "<iframe",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn names_and_content_are_escaped() {
    let page = nasty_history().page();
    assert!(page.contains("<h1>feat/&lt;script&gt;alert(&#39;1&#39;)&amp;&quot;x</h1>"));
    assert!(
        page.contains("&lt;img src=x onerror=alert(2)&gt;"),
        "the diff"
    );
    assert!(page.contains("src/&lt;i&gt;early.py"), "a path");
    assert!(!page.contains("<b>add") && !page.contains("<i>early"));
}

#[test]
fn by_default_it_lies_where_no_commit_takes_it() {
    let repo = nasty_history();
    let status = repo.porcelain();
    let written = repo.tcr(&["report", "--json"]).success().json();
    assert_eq!(repo.porcelain(), status);
    let path = written["path"].as_str().expect("a path");
    let size = std::fs::metadata(path).expect("a file").len();
    assert_eq!(written["bytes"], size);
}

#[test]
fn a_file_that_is_no_report_is_not_overwritten() {
    let repo = nasty_history();
    repo.write("notes.html", "<!doctype html>\nmy own words\n");
    let ran = repo.tcr(&["report", "--out", "notes.html"]).exits(2);
    assert!(ran.stderr.contains("is no report"), "{}", ran.stderr);
    assert_eq!(repo.read("notes.html"), "<!doctype html>\nmy own words\n");
    repo.tcr(&["report", "--out", ".git/hooks/report.html"])
        .exits(2);
    repo.tcr(&["report", "--out", "no/such/folder/report.html"])
        .exits(2);
    repo.tcr(&["report", "--out", "page.html"]).success();
    repo.tcr(&["report", "--out", "page.html"]).success();
}

#[test]
fn evidence_is_shown() {
    let repo = Repo::in_green();
    let blob = repo.around().join("evidence.md");
    std::fs::write(&blob, "# Evidence\n<b>certified</b> by `ada`\n").expect("a file");
    let id = repo.git(&["hash-object", "-w", blob.to_str().expect("text")]);
    repo.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("100644,{id},evidence.md"),
    ]);
    let tree = repo.git(&["write-tree"]);
    let commit = repo.git(&["commit-tree", &tree, "-m", "evidence"]);
    repo.git_past_hooks(&["update-ref", "refs/tcr/evidence/main/1", &commit]);
    let page = repo.page();
    assert!(page.contains("<b>evidence 1</b>"));
    assert!(page.contains("&lt;b&gt;certified&lt;/b&gt; by `ada`"));
}

#[test]
fn two_thousand_cycles_stay_small_in_memory_and_on_disk() {
    const KILOBYTES: u64 = 200_000;
    const LARGEST: usize = 2_000_000;
    let repo = Repo::new().installed().with_long_history(2_000);
    let line = format!("ulimit -v {KILOBYTES}; exec '{PROGRAM}' report --out -");
    let mut command = repo.command("sh");
    let page = Ran::from(command.args(["-c", &line]).output().expect("sh runs"))
        .success()
        .stdout;
    assert!(page.len() < LARGEST, "{}", page.len());
    assert!(page.contains("The whole course"));
    assert!(page.contains("older events not shown here: <code>git tcr log -n "));
    assert!(page.ends_with("</html>\n"));
}

#[test]
fn a_browser_shows_it_on_a_desk_and_on_a_phone() {
    if !programs::were_set_up(&["node", "chromium"]) {
        return;
    }
    let repo = nasty_history();
    let file = repo.around().join("report.html");
    let file = file.to_str().expect("text");
    repo.tcr(&["report", "--out", file]).success();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/report.cjs");
    let mut command = repo.command("node");
    command.args([script, file]);
    command.env(
        "NODE_PATH",
        std::env::var_os("NODE_PATH").unwrap_or_default(),
    );
    let seen = Ran::from(command.output().expect("node runs"))
        .success()
        .json();
    for (device, seen) in [("desk", &seen["desktop"]), ("phone", &seen["phone"])] {
        check_what_was_seen(device, seen);
    }
    assert_ne!(
        seen["desktop"]["background"], seen["phone"]["background"],
        "light and dark differ"
    );
}

fn check_what_was_seen(device: &str, seen: &Value) {
    let is = |what: &str, expected: Value| assert_eq!(seen[what], expected, "{device}: {what}");
    is("heading", NASTY.into());
    is("title", format!("{NASTY} · git tcr").into());
    is("outside", Value::Array(Vec::new()));
    is("complaints", Value::Array(Vec::new()));
    is("scripts", 0.into());
    is("fits", true.into());
    is("marks", 6.into());
    is("rows", 6.into());
    is("folded", true.into());
    is("unfolded", true.into());
    let reverts = seen["reverts"].as_array().expect("rows");
    assert_eq!(reverts.len(), 2, "{device}: {reverts:?}");
    assert!(
        reverts
            .iter()
            .any(|row| row.to_string().contains("taken back")),
        "{device}: {reverts:?}"
    );
    assert!(
        seen["diff"]
            .as_str()
            .is_some_and(|diff| diff.contains("+++ b/src/")),
        "{seen}"
    );
    assert!(seen["added"].as_u64().is_some_and(|lines| lines > 0));
}
