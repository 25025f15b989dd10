//! What `install` would do, as a diff.

use std::path::Path;

use gix::bstr::ByteSlice;
use serde_json::json;

use super::offer::Offer;
use crate::branch::off::{Off, off_by_config, why_off};
use crate::branch::place;
use crate::branch::sealed::{self, Sealed};
use crate::clients::Client;
use crate::clients::places::Scope;
use crate::clients::settings::dialect;
use crate::commands::install::InstallArgs;
use crate::commands::print;
use crate::config;
use crate::error::Result;
use crate::git::repo::Repo;
use crate::install::git_hooks;
use crate::message::hooks;
use crate::message::install as words;

/// What would be done.
pub(super) struct Preview {
    lines: Vec<String>,
    diffs: Vec<(String, String)>,
}

/// Works out what installing would do.
pub(super) fn of(
    repo: &Repo,
    args: &InstallArgs,
    offer: &Offer,
    choice: &[(Client, Scope)],
) -> Result<Preview> {
    let mut preview = Preview {
        lines: Vec::new(),
        diffs: Vec::new(),
    };
    let known = sealed::load(repo).ok().flatten();
    preview.config(repo, args, offer, known.as_ref())?;
    for (client, scope) in choice {
        let planned = crate::install::plan_file(repo, &offer.config, *client, *scope)?;
        match &planned.text {
            Ok(text) => {
                preview.changes(&planned.file, planned.existing.text(), text);
                let unreadable = dialect::unreadable_for(*client, text);
                preview.lines.extend(
                    unreadable
                        .map(|what| hooks::unreadable_for_client(planned.file.display(), what)),
                );
            }
            Err(why) => {
                let line = words::would_leave_alone(planned.client, &planned.file, why);
                preview.lines.push(line);
            }
        }
    }
    let (installed, hooks) = git_hooks::plan(repo, choice, known.as_ref())?;
    if let Some(place) = installed.git_hooks {
        let names: Vec<&str> = hooks.keys().map(String::as_str).collect();
        let line = words::would_put_git_hooks(&place.folder(repo), &names);
        preview.lines.push(line);
    }
    preview.lines.extend(activation(repo, offer));
    Ok(preview)
}

/// What would become of the branch, if anything would.
fn activation(repo: &Repo, offer: &Offer) -> Option<String> {
    // A state that can't be read is mended first.
    let place = place::locate(repo).ok()?;
    let base = place.base.as_bstr();
    let state = place.loaded.as_ref().map(|loaded| &loaded.state);
    let off = match state {
        Some(state) => why_off(state, &offer.config, base),
        None => off_by_config(&offer.config, base),
    };
    match (state, off) {
        (_, Some(off)) if off != Off::Switched => {
            Some(words::would_not_act(off, &base.to_str_lossy()))
        }
        (Some(state), _) if state.enabled => None,
        (_, _) => Some(words::would_activate()),
    }
}

impl Preview {
    /// The config: what it is made from, and how it differs from what was accepted.
    fn config(
        &mut self,
        repo: &Repo,
        args: &InstallArgs,
        offer: &Offer,
        known: Option<&Sealed>,
    ) -> Result<()> {
        let path = repo.root().join(sealed::FILE);
        let text = String::from_utf8_lossy(offer.text.as_deref().unwrap_or_default());
        let from = args.config_from.as_deref();
        match known {
            _ if offer.is_first => self.changes(&path, None, &text),
            Some(known) => {
                let accepted = sealed::accepted_text(repo, known)?;
                // A person's defaults may have changed, too.
                let changes = config::changes(&known.config, &offer.config);
                if accepted == offer.text && changes.is_empty() {
                    self.lines.push(words::CONFIG_AS_BEFORE.into());
                } else {
                    let accepted = accepted.as_deref().map(String::from_utf8_lossy);
                    self.changes(&path, accepted.as_deref(), &text);
                    self.lines.push(words::would_seal(sealed::FILE, from));
                    self.lines.extend(changes.iter().map(words::key_change));
                }
            }
            None => self.lines.push(words::would_seal(sealed::FILE, from)),
        }
        if let Some(detected) = &offer.detected {
            self.lines.extend(match offer.is_first {
                // The file itself says where it comes from.
                true => detected.unreadable.iter().map(words::unreadable).collect(),
                false => words::detected(detected, false),
            });
        }
        Ok(())
    }

    fn changes(&mut self, file: &Path, before: Option<&str>, after: &str) {
        let name = file.display().to_string();
        let old = before.unwrap_or_default();
        if old == after {
            return;
        }
        let from = if before.is_some() { &name } else { "/dev/null" };
        let diff = similar::TextDiff::from_lines(old, after)
            .unified_diff()
            .header(from, &name)
            .to_string();
        self.diffs.push((name, diff));
    }

    /// Prints it.
    pub(super) fn show(&self, as_json: bool) -> Result<()> {
        if as_json {
            let files: Vec<_> = self
                .diffs
                .iter()
                .map(|(file, diff)| json!({"file": file, "diff": diff}))
                .collect();
            return print::json(&json!({
                "action": "preview", "files": files, "notes": self.lines,
            }));
        }
        for (_, diff) in &self.diffs {
            print::text(diff)?;
        }
        for line in &self.lines {
            print::text(&format!("{line}\n"))?;
        }
        Ok(())
    }
}
