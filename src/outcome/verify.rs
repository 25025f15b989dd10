//! What a look at histories comes to.

use serde::Serialize;

/// What was found.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Verified {
    pub(crate) histories: Vec<Verdict>,
    /// Commits of the range that come with evidence.
    pub(crate) squashed: usize,
    /// Commits of the range without any.
    pub(crate) without_evidence: usize,
    /// What is wrong with commits of the range.
    pub(crate) findings: Vec<Finding>,
    /// How many checkouts were tested again.
    pub(crate) replayed: usize,
}

/// What was found out about one history or document.
#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    pub(crate) source: String,
    pub(crate) name: String,
    pub(crate) tip: String,
    pub(crate) commits: usize,
    pub(crate) cycles: usize,
    pub(crate) findings: Vec<Finding>,
}

/// One thing that is wrong, or worth a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    pub(crate) what: String,
    /// Worth a look, and no more.
    pub(crate) remark: bool,
    /// It could not be told: a tool is missing, or time ran out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) unsure: bool,
}

impl Finding {
    pub(crate) fn wrong(commit: Option<gix::ObjectId>, what: impl Into<String>) -> Finding {
        Finding {
            commit: commit.map(|id| id.to_string()),
            what: what.into(),
            remark: false,
            unsure: false,
        }
    }
}

impl Verified {
    fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        let of_histories = self.histories.iter().flat_map(|one| &one.findings);
        of_histories.chain(&self.findings)
    }

    /// How many things are wrong.
    pub(crate) fn wrong(&self) -> usize {
        let wrong = self.all_findings().filter(|one| !one.remark && !one.unsure);
        wrong.count()
    }

    /// How many things could not be told.
    pub(crate) fn unsure(&self) -> usize {
        self.all_findings().filter(|one| one.unsure).count()
    }
}
