//! What a change of a file's content comes to, for the gate before it is made and for the loop
//! after it was.

use super::language::Language;
use super::path_class::PathClass;
use super::split;
use super::write_gate::Change;

/// The class of a path with regard to its content, and what is known of the change. `None` stands
/// for a file that is not there.
pub fn content_change(
    path: &[u8],
    by_name: PathClass,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> (PathClass, Change) {
    match by_name {
        PathClass::Source | PathClass::Mixed => source_change(path, by_name, before, after),
        PathClass::Protected
        | PathClass::Spec
        | PathClass::Harness
        | PathClass::Test
        | PathClass::Docs
        | PathClass::Other => (by_name, Change::Content),
    }
}

fn source_change(
    path: &[u8],
    by_name: PathClass,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> (PathClass, Change) {
    let text = |bytes: Option<&[u8]>| {
        std::str::from_utf8(bytes.unwrap_or_default())
            .ok()
            .map(str::to_owned)
    };
    let (Some(language), Some(old), Some(new)) =
        (Language::of_path(path), text(before), text(after))
    else {
        return (by_name, Change::Content);
    };
    let judged = split::judge_content(language, &old, &new);
    let class = if judged.is_mixed {
        PathClass::Mixed
    } else {
        by_name
    };
    match judged.change {
        // A file that goes takes its source with it, whatever was in it.
        Change::Stub if after.is_none() => (class, Change::Content),
        change => (class, change),
    }
}
