//! Evidence documents held against the commits they speak of.

use serde_json::Value;

use super::Verifier;
use super::frozen::Frozen;
use super::sources::Source;
use crate::error::Result;
use crate::git::objects;
use crate::message;
use crate::outcome::verify::{Finding, Verdict};

const FILE: &str = "evidence.json";

impl Verifier<'_> {
    /// What is found out about the documents of a clone.
    pub(super) fn documents_of(&self, source: &Source) -> Result<Vec<Verdict>> {
        let mut verdicts = Vec::new();
        for (name, id) in &source.evidence {
            let claims = self.claims.as_ref();
            if !claims.is_none_or(|claims| claims.name_document(*id)) {
                continue;
            }
            let text = objects::file_in_commit(self.repo, *id, FILE)?;
            let document: Value = text
                .and_then(|text| serde_json::from_slice(&text).ok())
                .unwrap_or_default();
            verdicts.push(Verdict {
                source: source.name.clone(),
                name: name.clone(),
                tip: id.to_string(),
                commits: 2,
                cycles: 1,
                findings: self.document(&document)?,
            });
        }
        Ok(verdicts)
    }

    fn document(&self, document: &Value) -> Result<Vec<Finding>> {
        let tcr = &document["predicate"]["tcr"];
        let mut findings = Vec::new();
        let mut tree_of = |part: &str| {
            let found = self.tree_claimed(&tcr[part]);
            if found.is_none() {
                let what = message::verify::document_differs(part);
                findings.push(Finding::wrong(None, what));
            }
            found
        };
        let (Some(red), Some(green)) = (tree_of("red"), tree_of("green")) else {
            return Ok(findings);
        };
        let changed = Frozen::new(self.repo, &self.classes).changed(red, green)?;
        if !changed.is_empty() {
            // A person's own commits may: the document says so itself.
            let is_said = tcr["oracle"]["drifted_in_head"].as_u64().unwrap_or(0) > 0;
            findings.push(Finding {
                remark: is_said,
                ..Finding::wrong(None, message::verify::tests_changed(&changed))
            });
        }
        Ok(findings)
    }

    /// The tree of a commit that a document names, if it is the one it says.
    fn tree_claimed(&self, part: &Value) -> Option<gix::ObjectId> {
        let id = |name: &str| gix::ObjectId::from_hex(part[name].as_str()?.as_bytes()).ok();
        let tree = id("tree")?;
        (self.repo.tree_of(id("commit")?).ok()? == tree).then_some(tree)
    }
}
