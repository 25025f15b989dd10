//! Who makes a commit, and when.
//!
//! The names are found as gix finds them, the time is asked for anew with every commit: a process
//! that runs tests for minutes makes commits before and after.

use gix::actor::Signature;

use super::repo::Repo;
use crate::clock;
use crate::error::{Error, Result};

/// The one who commits.
pub(crate) fn committer(repo: &Repo) -> Result<Signature> {
    signature(repo, "committer").ok_or(Error::NoIdentity)
}

/// The one whose work it is.
pub(crate) fn author(repo: &Repo) -> Option<Signature> {
    signature(repo, "author")
}

fn signature(repo: &Repo, role: &str) -> Option<Signature> {
    let config = repo.gix.config_snapshot();
    let first = |keys: &[&str]| keys.iter().find_map(|key| config.string(*key));
    let name = first(&[
        &format!("{role}.name"),
        "user.name",
        &format!("gitoxide.{role}.nameFallback"),
    ])?;
    let email = first(&[
        &format!("{role}.email"),
        "user.email",
        "gitoxide.user.emailFallback",
        &format!("gitoxide.{role}.emailFallback"),
    ])?;
    let time = first(&[&format!("gitoxide.commit.{role}Date")])
        .and_then(|date| clock::parse_given(&date.to_string()))
        .unwrap_or_else(clock::local_time);
    Some(Signature { name, email, time })
}
