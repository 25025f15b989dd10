//! What `install` would do, as a diff.

use std::path::Path;

use serde_json::json;

use super::first::First;
use crate::cli::InstallArgs;
use crate::commands::print;
use crate::effects::git::repo::Repo;
use crate::effects::install::clients::Scope;
use crate::effects::install::dialect;
use crate::error::Result;
use crate::event::Client;
use crate::installation::{self, git_hooks};
use crate::journal::sealed;
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
    first: Option<&First>,
    choice: &[(Client, Scope)],
) -> Result<Preview> {
    let mut preview = Preview {
        lines: Vec::new(),
        diffs: Vec::new(),
    };
    let config = match first {
        Some(first) => {
            let path = repo.root().join(sealed::FILE);
            preview.changes(&path, None, &first.text);
            let bytes = first.text.clone().into_bytes();
            sealed::merged(Some(crate::config::Layer { path, bytes }))?
        }
        None => {
            let from = args.config_from.as_deref();
            preview.lines.push(words::would_seal(sealed::FILE, from));
            sealed::merged(sealed::project_file(repo, from)?)?
        }
    };
    for (client, scope) in choice {
        let planned = installation::plan_file(repo, &config, *client, *scope)?;
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
    let known = sealed::load(repo).ok().flatten();
    let (installed, hooks) = git_hooks::plan(repo, choice, known.as_ref())?;
    if let Some(place) = installed.git_hooks {
        let names: Vec<&str> = hooks.keys().map(String::as_str).collect();
        let line = words::would_put_git_hooks(&place.folder(repo), &names);
        preview.lines.push(line);
    }
    preview.lines.push(words::would_activate());
    Ok(preview)
}

impl Preview {
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
