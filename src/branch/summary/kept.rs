//! Sums of a history as far as it was read, in a file that may be thrown away.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::BStr;
use serde::{Deserialize, Serialize};

use super::{Summary, Sums};
use crate::branch::event::Event;
use crate::branch::history::History;
use crate::error::Result;
use crate::git::refs;
use crate::git::repo::Repo;

#[derive(Serialize, Deserialize)]
struct Kept {
    /// Another version may count differently.
    by: String,
    /// The link of the chain that was read last.
    tip: String,
    sums: Sums,
}

/// The numbers of a branch's history up to a link of its chain.
pub(crate) fn summary(repo: &Repo, base: &BStr, tip: ObjectId) -> Result<Summary> {
    let name = format!("sums-{}", refs::component(base));
    let path = repo.common_dir().join("tcr").join(name);
    let (known, mut sums) = read(&path).unzip();
    let mut history = History::up_to(repo, tip).after(known);
    let newest_first = history.events().collect::<Result<Vec<Event>>>()?;
    let mut sums = sums
        .take_if(|_| history.came_to_known())
        .unwrap_or_default();
    for event in newest_first.iter().rev() {
        sums.add(event);
    }
    let summary = sums.summary();
    if known != Some(tip) {
        write(&path, tip, sums);
    }
    Ok(summary)
}

fn read(path: &Path) -> Option<(ObjectId, Sums)> {
    let kept: Kept = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    let tip = ObjectId::from_hex(kept.tip.as_bytes()).ok()?;
    (kept.by == crate::VERSION).then_some((tip, kept.sums))
}

/// What can't be kept is summed up again.
fn write(path: &PathBuf, tip: ObjectId, sums: Sums) {
    let kept = Kept {
        by: crate::VERSION.into(),
        tip: tip.to_string(),
        sums,
    };
    let beside = path.with_extension("new");
    let written = serde_json::to_vec(&kept).map(|text| std::fs::write(&beside, text));
    if matches!(written, Ok(Ok(()))) {
        drop(std::fs::rename(&beside, path));
    }
}
