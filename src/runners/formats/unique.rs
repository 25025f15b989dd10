//! Ids that tell tests apart: a name that comes again is numbered.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use crate::rules::verdict::{Report, TestCase, Tests};

/// Numbers the tests whose id was there before: ` #2`, ` #3`.
pub fn tell_apart(report: &mut Report) {
    if has_repeated(&report.tests) {
        report.tests = numbered(&report.tests);
    }
}

/// A large run has no repeated name as a rule. To sort hashes tells so in less time and memory than to look
/// each name up among those before.
fn has_repeated(tests: &Tests) -> bool {
    let key = IdKey::random();
    let mut hashes: Vec<u64> = tests.iter().map(|test| key.hash(test.id)).collect();
    hashes.sort_unstable();
    hashes.array_windows().any(|[one, next]| one == next)
}

fn numbered(tests: &Tests) -> Tests {
    let mut taken: HashSet<String> = HashSet::with_capacity(tests.len());
    let mut last_number: HashMap<&str, u32> = HashMap::new();
    let mut all = Tests::default();
    for test in tests.iter() {
        let mut id = test.id.to_owned();
        while taken.contains(&id) {
            let number = last_number.entry(test.id).or_insert(1);
            *number += 1;
            id = format!("{} #{number}", test.id);
        }
        all.push(TestCase { id: &id, ..test });
        taken.insert(id);
    }
    all
}

/// Hashes ids with a key made at random, so that nobody can make two names collide. Hashing is a good part
/// of what a test costs, hence nothing stronger.
struct IdKey(u64);

impl IdKey {
    fn random() -> Self {
        IdKey(RandomState::new().hash_one(0))
    }

    fn hash(&self, id: &str) -> u64 {
        let mut hash = self.0 ^ id.len() as u64;
        let (words, rest) = id.as_bytes().as_chunks::<8>();
        for word in words {
            hash = mixed(hash ^ u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (slot, byte) in last.iter_mut().zip(rest) {
            *slot = *byte;
        }
        mixed(mixed(hash ^ u64::from_le_bytes(last)))
    }
}

/// Both halves of a product, folded: each bit of the input reaches each bit of the output.
fn mixed(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93_u128;
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus;

    #[test]
    fn repeated_ids_are_numbered_and_stay_unique() {
        let passed = |id| TestCase {
            id,
            file: None,
            status: TestStatus::Passed,
            inconclusive: false,
            message: "",
        };
        let mut report = Report {
            tests: ["a", "a", "a #2", "a", "b"]
                .map(passed)
                .into_iter()
                .collect(),
            ..Report::default()
        };
        for _ in 0..2 {
            tell_apart(&mut report);
            let ids: Vec<_> = report.tests.iter().map(|test| test.id).collect();
            assert_eq!(ids, ["a", "a #2", "a #2 #2", "a #3", "b"]);
        }
    }

    #[test]
    fn names_that_differ_by_little_have_hashes_that_differ() {
        let key = IdKey::random();
        let names = (0..10_000).flat_map(|n| [format!("test_{n}"), format!("test_{n}\0")]);
        let hashes: HashSet<u64> = names.map(|name| key.hash(&name)).collect();
        assert_eq!(hashes.len(), 20_000);
    }
}
