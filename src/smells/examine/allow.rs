//! Comments that allow a finding: `tcr:allow RULE: REASON`.

use tree_sitter::Tree;

use super::nodes::text_of;
use crate::rules::smell::Rule;
use crate::smells::{ALLOW_MARK as MARK, AllowProblem, BadAllow};

/// A comment that allows a rule on its own line and on the one after it, or in the test it stands in
/// or right above.
pub(super) struct Allow {
    pub(super) rule: Rule,
    pub(super) line: usize,
    pub(super) at: usize,
}

/// The comments of a file, those that count and those that do not.
pub(super) fn find(tree: &Tree, content: &[u8]) -> (Vec<Allow>, Vec<BadAllow>) {
    let text = text_of(content, 0..content.len());
    let mut allowed = Vec::new();
    let mut bad = Vec::new();
    for (at, _) in text.match_indices(MARK) {
        let node = tree
            .root_node()
            .descendant_for_byte_range(at, at + MARK.len());
        if !node.is_some_and(|node| node.kind().contains("comment")) {
            continue;
        }
        let line = text[..at].matches('\n').count() + 1;
        let rest = text[at + MARK.len()..].lines().next().unwrap_or_default();
        let (name, reason) = rest.split_once(':').unwrap_or((rest, ""));
        let name = name.trim().trim_end_matches("*/").trim();
        let reason = reason.trim().trim_end_matches("*/").trim();
        match (Rule::of_name(name), reason) {
            (Some(rule), "") => bad.push(BadAllow {
                line,
                problem: AllowProblem::NoReason(rule),
            }),
            (Some(rule), _) => allowed.push(Allow { rule, line, at }),
            (None, _) => bad.push(BadAllow {
                line,
                problem: AllowProblem::UnknownRule(name.to_owned()),
            }),
        }
    }
    (allowed, bad)
}
