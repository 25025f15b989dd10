//! A disk that is really full, where one can be mounted.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use tempfile::TempDir;

use super::Stage;
use crate::support::Repo;
use crate::support::mounted::Mounted;

/// A small disk of its own; it goes with this.
struct Disk {
    _mounted: Mounted,
    dir: TempDir,
}

impl Disk {
    /// `None` where mounting is not allowed.
    fn mount() -> Option<Disk> {
        let dir = TempDir::new().expect("a temporary folder");
        let mounted = Mounted::disk(dir.path())?;
        Some(Disk {
            _mounted: mounted,
            dir,
        })
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Fills it up, but for `left` bytes.
    fn fill(&self, left: usize) -> Filling {
        const CHUNK: usize = 4096;
        let path = self.path().join("filling");
        let mut file = File::create(&path).expect("a file");
        let mut size = 0;
        while let Ok(written) = file.write(&[b'x'; CHUNK]) {
            size += written;
        }
        file.set_len(size.saturating_sub(left) as u64)
            .expect("room");
        Filling { path }
    }
}

struct Filling {
    path: std::path::PathBuf,
}

impl Drop for Filling {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).expect("the filling goes");
    }
}

#[test]
fn a_disk_that_is_really_full() {
    let Some(disk) = Disk::mount() else {
        return;
    };
    let mut failures = 0;
    for name in ["the first commit", "a revert"] {
        let stage = Stage::new(name);
        for left in (0..24).map(|blocks| blocks * 8 * 1024) {
            let what = format!("{name}, {left} bytes left");
            let repo = stage.repo.copy_into(disk.path());
            let filling = disk.fill(left);
            let ran = repo.tcr(stage.scenario.act);
            drop(filling);
            if ran.status == 2 {
                failures += 1;
                assert!(ran.stderr.contains("make room"), "{what}: {}", ran.stderr);
            }
            check(&stage, &repo, &what);
        }
    }
    assert!(failures > 4, "the disk was hardly ever full: {failures}");
}

fn check(stage: &Stage, repo: &Repo, what: &str) {
    stage.contents.assert_there(repo, what);
    repo.tcr(&["status"]).success();
    stage.get_there(repo, what);
    stage.contents.assert_there(repo, what);
    repo.git(&["fsck", "--no-dangling", "--no-progress"]);
    repo.assert_tidy(what);
}

/// What is the user's is there afterwards, whatever could not be written.
#[test]
fn a_full_disk_empties_no_file_of_the_user() {
    let Some(disk) = Disk::mount() else {
        return;
    };
    const THEIRS: [(&str, &str); 4] = [
        (".claude/settings.local.json", "\"theirs\""),
        (".git/info/exclude", "theirs.txt"),
        (".git/hooks/pre-commit", "echo theirs"),
        (".tcr.toml", "./run-tests"),
    ];
    let mut failures = 0;
    for left in (0..40).map(|blocks| blocks * 4 * 1024) {
        let repo = Repo::new();
        let long = "x".repeat(5000);
        repo.write(
            ".claude/settings.local.json",
            &format!("{{\"model\": \"theirs\", \"env\": {{\"A\": \"{long}\"}}}}\n"),
        );
        repo.write(".git/info/exclude", &format!("# {long}\ntheirs.txt\n"));
        repo.write(".git/hooks/pre-commit", "#!/bin/sh\necho theirs\n");
        repo.make_executable(".git/hooks/pre-commit");
        let repo = repo.copy_into(disk.path());
        let filling = disk.fill(left);
        let ran = repo.tcr(&["install", "--yes", "--client", "claude-code"]);
        drop(filling);
        failures += usize::from(ran.status == 2);
        for (path, theirs) in THEIRS {
            let places = std::fs::read_dir(repo.path(path).parent().expect("a folder"));
            let name = path.rsplit('/').next().expect("a name");
            let found = places.expect("a folder").flatten().any(|item| {
                item.file_name().to_string_lossy().starts_with(name)
                    && std::fs::read_to_string(item.path()).is_ok_and(|text| text.contains(theirs))
            });
            assert!(found, "{left} left: {path}: {}", ran.stderr);
        }
        repo.tcr(&["install", "--yes", "--client", "claude-code"])
            .success();
        assert!(
            repo.read(".claude/settings.local.json").contains("git-tcr"),
            "{left}"
        );
    }
    assert!(failures > 4, "the disk was hardly ever full: {failures}");
}
