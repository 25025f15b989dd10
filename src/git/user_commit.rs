//! Commits that are the user's: their hooks, their editor, their signature.
//!
//! The hooks run as if HEAD were on the base branch already, in a git directory of their own that
//! shares everything else: no ref moves before all is decided.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use gix::bstr::ByteSlice;

use super::command::{git, git_as_user};
use super::objects;
use super::repo::Repo;
use crate::error::{Doing, Error, Result};

/// Our own hooks guard the WIP branch against others; here only the user's have a say.
const OWN_HOOKS_OFF: (&str, &str) = ("GIT_TCR", "off");

/// A git directory in which HEAD is where the commit is to go; it goes with this.
pub(crate) struct Seat {
    folder: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

impl Seat {
    /// A seat with HEAD as given: `ref: refs/heads/main`, or a commit.
    pub(crate) fn take(repo: &Repo, head: &str) -> Result<Seat> {
        let folder = repo.git_dir().join("tcr").join("as-base");
        let io = |source| Error::io("write", &folder, source);
        // One that died may have left its own.
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).map_err(io)?;
        let shared = repo.common_dir().canonicalize().map_err(io)?;
        let mut link = shared.into_os_string();
        link.push("\n");
        let write = |name: &str, content: &[u8]| std::fs::write(folder.join(name), content);
        write("commondir", link.as_encoded_bytes()).map_err(io)?;
        write("HEAD", format!("{head}\n").as_bytes()).map_err(io)?;
        let own_config = repo.git_dir().join("config.worktree");
        if own_config.exists() {
            std::fs::copy(own_config, folder.join("config.worktree")).map_err(io)?;
        }
        let variables = vec![
            ("GIT_DIR", folder.clone().into_os_string()),
            ("GIT_WORK_TREE", repo.root().as_os_str().to_owned()),
            ("GIT_INDEX_FILE", absolute(&repo.gix.index_path())),
        ];
        Ok(Seat { folder, variables })
    }

    /// Runs one of the user's hooks; true if there is none.
    pub(crate) fn hook(&self, repo: &Repo, name: &str, args: &[&str]) -> Result<bool> {
        if !has_hook(repo, name) {
            return Ok(true);
        }
        let mut command = vec!["hook", "run", "--ignore-missing", name];
        if !args.is_empty() {
            command.push("--");
            command.extend(args);
        }
        let mut variables: Vec<(&str, &OsStr)> = self
            .variables
            .iter()
            .map(|(name, value)| (*name, value.as_os_str()))
            .collect();
        // As git itself says where nobody is going to be asked.
        variables.push(("GIT_EDITOR", OsStr::new(":")));
        variables.push((OWN_HOOKS_OFF.0, OsStr::new(OWN_HOOKS_OFF.1)));
        Ok(git_as_user(repo.root(), &command, &variables, b"")?.success)
    }

    /// Lets the hooks that look at messages have theirs; none if one of them refuses.
    pub(crate) fn hooked_message(&self, repo: &Repo, message: &str) -> Result<Option<String>> {
        let hooks = ["prepare-commit-msg", "commit-msg"];
        if !hooks.iter().any(|name| has_hook(repo, name)) {
            return Ok(Some(message.to_owned()));
        }
        let file = self.folder.join("COMMIT_EDITMSG");
        let io = |source| Error::io("write", &file, source);
        std::fs::write(&file, message).map_err(io)?;
        let path = file.to_string_lossy().into_owned();
        for (name, args) in hooks
            .into_iter()
            .zip([&[path.as_str(), "message"][..], &[path.as_str()]])
        {
            if !self.hook(repo, name, args)? {
                return Ok(None);
            }
        }
        std::fs::read_to_string(&file).map(Some).map_err(io)
    }

    /// Opens the user's editor on a message; returns what is left of it without comments.
    pub(crate) fn edited(&self, repo: &Repo, message: &str) -> Result<String> {
        let file = self.folder.join("COMMIT_EDITMSG");
        let io = |source| Error::io("edit", &file, source);
        std::fs::write(&file, message).map_err(io)?;
        let editor = git(repo.root(), &["var", "GIT_EDITOR"], b"")?;
        let editor = editor.to_str_lossy().trim_end().to_owned();
        let ended = Command::new("sh")
            .args(["-c", &format!("{editor} \"$@\""), &editor])
            .arg(&file)
            .current_dir(repo.root())
            .status()
            .map_err(io)?;
        if !ended.success() {
            return Err(Error::EditorFailed(editor));
        }
        let text = std::fs::read(&file).map_err(io)?;
        let plain = ["-c", "core.commentChar=#", "stripspace", "--strip-comments"];
        // Nothing given is nothing left.
        let text = match text.is_empty() {
            true => text,
            false => git(repo.root(), &plain, &text)?,
        };
        Ok(text.to_str_lossy().into_owned())
    }
}

/// What a commit is made of.
pub(crate) struct UserCommit<'a> {
    pub(crate) tree: gix::ObjectId,
    pub(crate) parents: &'a [gix::ObjectId],
    pub(crate) message: &'a str,
    /// The author, where it is not the user.
    pub(crate) author: Option<gix::actor::Signature>,
}

/// Writes a commit, signed if the user signs.
pub(crate) fn write(repo: &Repo, commit: &UserCommit<'_>) -> Result<gix::ObjectId> {
    let signs = repo.gix.config_snapshot().boolean("commit.gpgSign");
    if signs != Some(true) {
        return objects::commit_by(
            repo,
            commit.tree,
            commit.parents,
            commit.message,
            commit.author.clone(),
        );
    }
    let (tree, parents) = (
        commit.tree.to_string(),
        commit.parents.iter().map(ToString::to_string),
    );
    let parents: Vec<String> = parents.collect();
    let mut args = vec!["commit-tree", "-S", "-F", "-"];
    for parent in &parents {
        args.extend(["-p", parent]);
    }
    args.push(&tree);
    let author: Vec<(&str, OsString)> = match &commit.author {
        Some(author) => vec![
            ("GIT_AUTHOR_NAME", os(&author.name)),
            ("GIT_AUTHOR_EMAIL", os(&author.email)),
            ("GIT_AUTHOR_DATE", format!("@{}", author.time).into()),
        ],
        None => Vec::new(),
    };
    let author: Vec<(&str, &OsStr)> = author
        .iter()
        .map(|(name, value)| (*name, value.as_os_str()))
        .collect();
    let ended = git_as_user(repo.root(), &args, &author, commit.message.as_bytes())?;
    if !ended.success {
        return Err(Error::NotSigned);
    }
    gix::ObjectId::from_hex(ended.stdout.trim()).doing("read an object id")
}

/// Runs the hook that only looks at what was committed.
pub(crate) fn after_commit(repo: &Repo) {
    if has_hook(repo, "post-commit") {
        let run = ["hook", "run", "--ignore-missing", "post-commit"];
        // Whatever it says, the commit is there.
        drop(git_as_user(
            repo.root(),
            &run,
            &[(OWN_HOOKS_OFF.0, OsStr::new(OWN_HOOKS_OFF.1))],
            b"",
        ));
    }
}

fn has_hook(repo: &Repo, name: &str) -> bool {
    let config = repo.gix.config_snapshot();
    // Newer gits take hooks from the config too.
    if config.sections_by_name("hook").is_some() {
        return true;
    }
    let folder = match config.trusted_path("core.hooksPath") {
        Ok(Some(path)) => repo.root().join(path),
        _ => repo.common_dir().join("hooks"),
    };
    folder
        .join(name)
        .metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

fn absolute(path: &Path) -> OsString {
    std::path::absolute(path).map_or_else(|_| path.into(), PathBuf::into_os_string)
}

fn os(text: &gix::bstr::BString) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(text).to_owned()
}
