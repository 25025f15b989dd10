//! Lets git pack what many loops have written, when git itself would.

use super::command;
use super::repo::Repo;

/// git looks into one of the 256 folders of loose objects to guess how many there are.
const SAMPLE: &str = "17";
const FOLDERS: u64 = 256;
/// What git takes where `gc.auto` is not set.
const MANY_OBJECTS: u64 = 6700;

/// Asks git to tidy up if there are many loose objects. It does that in the background; a failure
/// costs disk space and nothing else.
pub(crate) fn tidy_up(repo: &Repo) {
    if wants_packing(repo) {
        drop(command::git(
            repo.root(),
            &["maintenance", "run", "--auto", "--quiet"],
            b"",
        ));
    }
}

fn wants_packing(repo: &Repo) -> bool {
    let config = repo.gix.config_snapshot();
    let many = config.integer("gc.auto").map_or(Some(MANY_OBJECTS), |set| {
        u64::try_from(set).ok().filter(|set| *set > 0)
    });
    let is_on = config.boolean("maintenance.auto").unwrap_or(true);
    many.filter(|_| is_on)
        .is_some_and(|many| sampled(repo) > many.div_ceil(FOLDERS))
}

fn sampled(repo: &Repo) -> u64 {
    let folder = repo.gix.objects.store_ref().path().join(SAMPLE);
    std::fs::read_dir(folder).map_or(0, |entries| entries.count() as u64)
}
