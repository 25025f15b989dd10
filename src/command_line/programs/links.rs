//! `ln` and bind mounts.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;

pub(super) fn ln<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("tS", "target-directory suffix");
    let options = Options::parse(call.arguments, &takes);
    let symbolic = options.has("-s --symbolic");
    let keeps_directory_name = options.has("-n -h -T --no-dereference --no-target-directory");
    let (targets, place) = match (
        options.value("-t --target-directory"),
        options.operands.as_slice(),
    ) {
        (Some(directory), targets) => (targets, directory.to_owned()),
        (None, [single]) => (std::slice::from_ref(single), ".".to_owned()),
        (None, [targets @ .., place]) => (targets, place.clone()),
        (None, []) => return Outcome::silent(),
    };
    let is_directory = !keeps_directory_name
        && shell
            .known_path(&place)
            .is_some_and(|path| shell.is_directory(&path));
    for target in targets {
        let name = match is_directory {
            true => format!(
                "{}/{}",
                place.trim_end_matches('/'),
                text::base_name(target)
            ),
            false => place.clone(),
        };
        shell.link(target, &name, symbolic, call.name);
    }
    Outcome::silent()
}

/// `link OLD NEW`.
pub(super) fn link<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    if let [target, name] = call.arguments {
        shell.link(target, name, false, call.name);
    }
    Outcome::silent()
}

/// `mount --bind A B`: what is under B is from then on what is under A.
pub(super) fn mount<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("ot", "options types");
    let options = Options::parse(call.arguments, &takes);
    if let [source, place] = options.operands.as_slice() {
        shell.write_into(place, call.name);
        shell.link(source, place, true, call.name);
    }
    Outcome::opaque()
}
