//! Verbs that exchange with other repositories.

use super::super::super::options::{Options, Takes};
use super::super::super::scope::Shell;
use super::super::super::text;
use super::super::environment;
use super::refs::{changes, changes_branch};
use super::{GitCall, emit};
use crate::rules::shell_gate::{GitAction, Pushed};

const PUSH: Takes = Takes::new("o", "push-option repo receive-pack exec");
const FETCH: Takes = Takes::new(
    "jo",
    "depth deepen shallow-since shallow-exclude refmap jobs upload-pack server-option \
        negotiation-tip filter strategy strategy-option",
);

pub(super) fn push(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let options = call.options(&PUSH);
    if options.has("-n --dry-run") {
        return;
    }
    if options.has("--no-verify") {
        emit(
            shell,
            GitAction::SkipHooks {
                how: "git push --no-verify",
            },
        );
    }
    environment::check_before_hooks(shell);
    run_given_programs(shell, &options, "--receive-pack --exec");
    let (remote, refspecs) = match options.operands.split_first() {
        Some((remote, refspecs)) => (remote.as_str(), refspecs),
        None => ("", &[][..]),
    };
    let pushed = pushed(&options, refspecs);
    if is_this_repository(shell, remote) {
        for one in &pushed {
            match one {
                Pushed::Ref { to, .. } => {
                    changes_branch(shell, &to.clone().unwrap_or_else(text::unknown), "git push")
                }
                Pushed::CurrentBranch => {}
                Pushed::AllBranches => changes(shell, &text::unknown(), "git push"),
            }
        }
    }
    if !pushed.is_empty() {
        emit(shell, GitAction::Push(pushed));
    }
}

fn pushed(options: &Options, refspecs: &[String]) -> Vec<Pushed> {
    if options.has("--all --mirror --branches") {
        return vec![Pushed::AllBranches];
    }
    let deletes = options.has("-d --delete");
    let known = |name: &str| (!name.is_empty() && text::is_known(name)).then(|| name.to_owned());
    let pushed: Vec<Pushed> = refspecs
        .iter()
        .filter(|refspec| *refspec != "tag")
        .map(|refspec| {
            let refspec = refspec.trim_start_matches('+');
            match refspec.split_once(':') {
                Some(("", "")) => Pushed::AllBranches,
                Some(("", to)) => Pushed::Ref {
                    from: None,
                    to: known(to),
                },
                Some((from, to)) => Pushed::Ref {
                    from: known(from),
                    to: known(to),
                },
                None if deletes => Pushed::Ref {
                    from: None,
                    to: known(refspec),
                },
                None => Pushed::Ref {
                    from: known(refspec),
                    to: known(refspec),
                },
            }
        })
        .collect();
    if pushed.is_empty() && !options.has("--tags -d --delete") {
        return vec![Pushed::CurrentBranch];
    }
    pushed
}

pub(super) fn fetch(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let options = call.options(&FETCH);
    run_given_programs(shell, &options, "--upload-pack");
    if !options.has("--dry-run") {
        fetched_refs(shell, options.operands.get(1..).unwrap_or(&[]));
        let mapped: Vec<String> = options.values("--refmap").map(str::to_owned).collect();
        fetched_refs(shell, &mapped);
    }
}

/// `ls-remote`: nothing changes, but it may name a program.
pub(super) fn ls_remote(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let options = call.options(&FETCH);
    run_given_programs(shell, &options, "--upload-pack --exec");
}

/// The refs that refspecs of a fetch write.
pub(super) fn fetched_refs(shell: &Shell<'_>, refspecs: &[String]) {
    for refspec in refspecs {
        if let Some((_, to)) = refspec.trim_start_matches('+').split_once(':') {
            let is_full = to.starts_with("refs/") || to.is_empty();
            let name = if is_full {
                to.to_owned()
            } else {
                format!("refs/heads/{to}")
            };
            if !name.is_empty() {
                changes(shell, &name, "git fetch");
            }
        }
    }
}

pub(super) fn pull(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let options = call.options(&FETCH);
    run_given_programs(shell, &options, "--upload-pack");
    environment::check_before_hooks(shell);
    if options.has("--no-verify") {
        emit(
            shell,
            GitAction::SkipHooks {
                how: "git pull --no-verify",
            },
        );
    }
    let rebases = options.has("-r --rebase") && options.value("--rebase") != Some("false");
    if rebases {
        emit(
            shell,
            GitAction::RewriteHistory {
                how: "git pull --rebase",
            },
        );
    }
    fetched_refs(shell, options.operands.get(1..).unwrap_or(&[]));
}

/// Runs the programs that options, or `ext::` addresses, name for the other side.
pub(super) fn run_given_programs(shell: &mut Shell<'_>, options: &Options, names: &str) {
    for command in options
        .operands
        .iter()
        .filter_map(|o| o.strip_prefix("ext::"))
    {
        shell.run_text_in_child(command);
    }
    for program in options.values(names).map(str::to_owned).collect::<Vec<_>>() {
        shell.run_text_in_child(&program);
    }
}

pub(super) fn init(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new(
        "b",
        "template separate-git-dir object-format initial-branch shared",
    );
    let options = call.options(&takes);
    // What is in the folder is the business of a repository of its own from then on.
    let directory = options.operands.first().map_or(".", String::as_str);
    if shell
        .known_path(directory)
        .is_some_and(|path| path != shell.context().repo_root)
    {
        shell.write_into(directory, "git init");
    }
    match options.operands.first() {
        Some(directory) => {
            shell.make_directory(directory);
            shell.make_directory(&format!("{directory}/.git"));
        }
        None if options.has("--template --separate-git-dir")
            || shell.exported("GIT_TEMPLATE_DIR").is_some() =>
        {
            emit(shell, GitAction::ReplaceHooks);
        }
        None => {}
    }
}

pub(super) fn clone(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new(
        "bocju",
        "branch origin config depth jobs upload-pack template reference filter separate-git-dir shallow-since",
    );
    let options = call.options(&takes);
    run_given_programs(shell, &options, "-u --upload-pack");
    let directory = match options.operands.as_slice() {
        [_, directory] => directory.clone(),
        [source] => text::base_name(source).trim_end_matches(".git").to_owned(),
        _ => return,
    };
    shell.write_into(&directory, "git clone");
    shell.make_directory(&format!("{directory}/.git"));
}

/// A command in another repository that pushes into this one.
pub(super) fn into_this_repository(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    if call.verb == "push"
        && call
            .options(&PUSH)
            .operands
            .first()
            .is_some_and(|remote| is_this_repository(shell, remote))
    {
        push(shell, call);
    }
    if matches!(call.verb, "init" | "clone") {
        if call.verb == "init" {
            init(shell, call)
        } else {
            clone(shell, call)
        }
    }
}

fn is_this_repository(shell: &Shell<'_>, remote: &str) -> bool {
    let path = remote.strip_prefix("file://").unwrap_or(remote);
    if !path.starts_with(['/', '.']) {
        return false;
    }
    let root = shell.context().repo_root;
    shell
        .known_path(path)
        .is_some_and(|path| path.starts_with(root))
}
