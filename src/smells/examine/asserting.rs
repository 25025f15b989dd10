//! Whether a test asserts anything, by itself or through others.

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::Node;

use super::nodes::{is_in, nodes_in};
use super::tree::{Call, Reading, Test};
use super::words;

/// How far an assertion may be from the test that calls it.
const HELPERS_OF_HELPERS: usize = 8;

impl Reading<'_> {
    /// Whether something in a range may make a test fail, the functions of this file aside. What
    /// lies in one of the `lost` ranges does not.
    pub(super) fn may_fail(&self, range: &Range<usize>, lost: &[Range<usize>]) -> bool {
        let counts = |node: &Node<'_>| !is_in(lost, *node);
        let may_call = |call: &Call<'_>| {
            // `is_send::<T>()` asserts when it compiles.
            let is_typed = call.called.ends_with('>') && self.arguments(call.node).is_empty();
            let may =
                words::may_assert(&call.called) || (self.words.hides_assertions)(&call.called);
            (may || is_typed) && counts(&call.node)
        };
        self.assertions_in(range).iter().any(counts)
            || nodes_in(&self.failures, range).iter().any(counts)
            || self.calls_in(range).iter().any(may_call)
    }

    /// Whether a test asserts anything, by itself or through functions of this file. A method that
    /// is not defined here may do so too.
    pub(super) fn asserts(
        &self,
        test: &Test<'_>,
        helpers: &BTreeSet<&str>,
        lost: &[Range<usize>],
    ) -> bool {
        let is_defined = |name: &str| self.functions.iter().any(|(_, known)| known == name);
        let counts = |call: &&Call<'_>| !is_in(lost, call.node);
        self.may_fail(&test.range, lost)
            || self
                .calls_in(&test.range)
                .iter()
                .filter(counts)
                .any(|call| {
                    let name = words::last(&call.called);
                    let is_inherited = ["self.", "this.", "$this->", "super.", "super()."]
                        .iter()
                        .any(|own| call.called.strip_prefix(own) == Some(name));
                    let is_bare = call.called == name;
                    helpers.contains(name)
                        || (is_inherited && !is_defined(name))
                        || (is_bare && self.arguments(call.node).iter().any(|arg| arg == "t"))
                })
    }

    /// The functions of this file that may make a test fail.
    pub(super) fn asserting_functions(&self) -> BTreeSet<&str> {
        let mut asserting: BTreeSet<&str> = self
            .functions
            .iter()
            .filter(|(node, _)| self.may_fail(&node.byte_range(), &[]))
            .map(|(_, name)| name.as_str())
            .collect();
        for _ in 0..HELPERS_OF_HELPERS {
            let through: Vec<&str> = self
                .functions
                .iter()
                .filter(|(_, name)| !asserting.contains(name.as_str()))
                .filter(|(node, _)| {
                    self.calls_in(&node.byte_range())
                        .iter()
                        .any(|call| asserting.contains(words::last(&call.called)))
                })
                .map(|(_, name)| name.as_str())
                .collect();
            if through.is_empty() {
                break;
            }
            asserting.extend(through);
        }
        asserting
    }
}
