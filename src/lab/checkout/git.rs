//! Git, asked about the worktree, and a git directory of its own for the checkout.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::git_dirs;
use super::super::no_lab::{Doing, NoLab, Why};

/// Variables that lead a git to another repository than the one it stands in.
pub(super) const LEADS_ELSEWHERE: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
];

/// Files of the worktree that git does not ignore, and entries that it does.
pub(super) struct Listing {
    /// Tracked and untracked files, relative to the worktree.
    pub(super) files: Vec<PathBuf>,
    /// Ignored files, and folders with nothing else in them.
    pub(super) ignored: Vec<PathBuf>,
}

/// Lists a worktree, and what repositories inside it hold.
pub(super) fn list(worktree: &Path) -> Result<Listing, NoLab> {
    let mut listing = Listing {
        files: Vec::new(),
        ignored: Vec::new(),
    };
    let mut left = vec![PathBuf::new()];
    while let Some(folder) = left.pop() {
        let at = worktree.join(&folder);
        let known = ["ls-files", "-z", "-c", "-o", "--exclude-standard"];
        for path in paths(&ask(&at, &known)?) {
            let path = folder.join(path);
            let full = worktree.join(&path);
            if !fs::symlink_metadata(&full).is_ok_and(|found| found.is_dir()) {
                listing.files.push(path);
            } else if full.join(".git").exists() {
                // A submodule, or a repository that nobody has added. One that was never fetched
                // has nothing in it.
                left.push(path);
            }
        }
        let ignored = [
            "ls-files",
            "-z",
            "-o",
            "-i",
            "--exclude-standard",
            "--directory",
        ];
        let ignored = paths(&ask(&at, &ignored)?);
        listing
            .ignored
            .extend(ignored.into_iter().map(|path| folder.join(path)));
    }
    // A file in conflict is listed for each side.
    listing.files.sort_unstable();
    listing.files.dedup();
    Ok(listing)
}

/// Untracked files that are not ignored.
pub(super) fn untracked(checkout: &Path) -> Result<Vec<PathBuf>, NoLab> {
    let args = ["ls-files", "-z", "-o", "--exclude-standard"];
    Ok(paths(&ask(checkout, &args)?))
}

fn paths(output: &[u8]) -> Vec<PathBuf> {
    output
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .map(|path| path.strip_suffix(b"/").unwrap_or(path))
        .map(|path| PathBuf::from(OsStr::from_bytes(path)))
        .collect()
}

fn ask(at: &Path, args: &[&str]) -> Result<Vec<u8>, NoLab> {
    let failed = |output: String| {
        NoLab::from(Why::Git {
            command: args.join(" "),
            output,
        })
    };
    let mut command = Command::new("git");
    for name in LEADS_ELSEWHERE {
        command.env_remove(name);
    }
    let output = command
        .args(["-c", "core.fsmonitor=false", "--no-optional-locks"])
        .args(args)
        .current_dir(at)
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

/// Makes the git directory of the checkout anew: the objects are borrowed, everything else is its
/// own, so that nothing a test does to it lasts or is seen in the worktree.
pub(super) fn make_dir(worktree: &Path, checkout: &Path) -> Result<(), NoLab> {
    let Some((dir, common)) = git_dirs::of(worktree) else {
        return Err(Why::Git {
            command: "rev-parse --git-dir".to_owned(),
            output: "not a git repository".to_owned(),
        }
        .into());
    };
    let own = checkout.join(".git");
    super::super::place::remove_all(&own)
        .map_err(|error| NoLab::io(Doing::Remove, &own, &error))?;
    let info = own.join("objects/info");
    for folder in [&info, &own.join("refs/heads"), &own.join("info")] {
        fs::create_dir_all(folder).map_err(|error| NoLab::io(Doing::Write, folder, &error))?;
    }
    let mut objects = common.join("objects").into_os_string().into_encoded_bytes();
    objects.push(b'\n');
    put(&info.join("alternates"), &objects)?;
    put(&own.join("HEAD"), &head(worktree)?)?;
    put(&own.join("config"), config(worktree)?.as_bytes())?;
    // Without a header that promises more than these lines hold.
    let refs = ask(
        worktree,
        &["for-each-ref", "--format=%(objectname) %(refname)"],
    )?;
    put(&own.join("packed-refs"), &refs)?;
    for (from, to) in [
        (common.join("info/exclude"), own.join("info/exclude")),
        (common.join("shallow"), own.join("shallow")),
        (dir.join("index"), own.join("index")),
    ] {
        copy_if_there(&from, &to)?;
    }
    copy_shared_index(&dir, &own)
}

/// Has the git of the checkout ignore these paths.
pub(super) fn ignore<'a>(
    checkout: &Path,
    paths: impl Iterator<Item = &'a PathBuf>,
) -> Result<(), NoLab> {
    let file = checkout.join(".git/info/exclude");
    let mut text = fs::read(&file).unwrap_or_default();
    text.push(b'\n');
    for path in paths {
        text.push(b'/');
        for byte in path.as_os_str().as_bytes() {
            // What has a meaning in a pattern.
            if b"\\*?[ ".contains(byte) {
                text.push(b'\\');
            }
            text.push(*byte);
        }
        text.push(b'\n');
    }
    put(&file, &text)
}

/// The commit that HEAD is at, or the branch that has none yet.
fn head(worktree: &Path) -> Result<Vec<u8>, NoLab> {
    ask(worktree, &["rev-parse", "--verify", "-q", "HEAD"])
        .or_else(|_| Ok(b"ref: refs/heads/main\n".to_vec()))
}

fn config(worktree: &Path) -> Result<String, NoLab> {
    let format = ask(worktree, &["rev-parse", "--show-object-format"])?;
    let core = "[core]\n\tbare = false\n\tfilemode = true\n\trepositoryformatversion = ";
    Ok(match format.trim_ascii() {
        b"sha1" => format!("{core}0\n"),
        other => format!(
            "{core}1\n[extensions]\n\tobjectformat = {}\n",
            String::from_utf8_lossy(other)
        ),
    })
}

/// An index may be in two parts.
fn copy_shared_index(from: &Path, to: &Path) -> Result<(), NoLab> {
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.as_bytes().starts_with(b"sharedindex.") {
            copy_if_there(&entry.path(), &to.join(name))?;
        }
    }
    Ok(())
}

fn copy_if_there(from: &Path, to: &Path) -> Result<(), NoLab> {
    match fs::copy(from, to) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(NoLab::io(Doing::Write, to, &error)),
    }
}

fn put(path: &Path, content: &[u8]) -> Result<(), NoLab> {
    fs::write(path, content).map_err(|error| NoLab::io(Doing::Write, path, &error))
}
