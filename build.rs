//! How the program is linked, and which commit it is made from.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let is_static = env::var("CARGO_CFG_TARGET_FEATURE")
        .is_ok_and(|features| features.split(',').any(|feature| feature == "crt-static"));
    // A program at a fixed address needs no relocation when it starts: a third less time for
    // `git tcr status`, which agents' hooks call all the time.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && !is_static {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    println!("cargo::rustc-env=GIT_TCR_COMMIT={}", commit());
}

/// ` (1a2b3c4d)` for a program that people are given; nothing in builds for tests, which would all
/// begin anew with every commit.
fn commit() -> String {
    if env::var("PROFILE").as_deref() != Ok("release") {
        return String::new();
    }
    match packaged_commit().or_else(commit_of_repository) {
        Some(commit) => format!(" ({})", commit.get(..8).unwrap_or(&commit)),
        None => String::new(),
    }
}

/// Cargo writes it into packages: `"sha1": "…"`.
fn packaged_commit() -> Option<String> {
    const INFO: &str = ".cargo_vcs_info.json";
    let info = std::fs::read_to_string(INFO).ok()?;
    // Only of a file that is there: a missing one would count as changed in every build.
    println!("cargo::rerun-if-changed={INFO}");
    let (_, rest) = info.split_once("\"sha1\": \"")?;
    Some(rest.split_once('"')?.0.to_owned())
}

fn commit_of_repository() -> Option<String> {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // A commit moves the reflog of HEAD, in the main worktree as in a linked one.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "HEAD"])
}
