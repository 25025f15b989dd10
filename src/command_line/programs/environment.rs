//! Variables the command puts into the environment of what it runs.

use super::super::ShellEffect;
use super::super::scope::Shell;
use super::super::text;
use crate::rules::shell_gate::Evasion;

/// Looks at variables that were just exported or set for one command.
pub(in super::super) fn check<'a>(shell: &Shell<'_>, names: impl Iterator<Item = &'a str>) {
    for name in names {
        if name.split('_').any(|part| part == "TCR") {
            shell.emit(ShellEffect::Evasion(Evasion::ToolVariable(name.to_owned())));
        }
        if let Some(code) = shell.exported(name).and_then(|value| code_in(name, &value)) {
            shell.clone().run_text_in_child(&code);
        }
    }
}

/// The command that is in a variable which shells and pagers run by themselves.
fn code_in(name: &str, value: &str) -> Option<String> {
    match name {
        "PROMPT_COMMAND" => Some(value.to_owned()),
        "PS0" | "PS1" | "PS4" => Some(format!(": \"{value}\"")),
        "LESSOPEN" | "LESSCLOSE" => Some(value.trim_start_matches(['|', '-']).to_owned()),
        _ => None,
    }
}

/// A function that takes the place of a program in the processes the command starts.
pub(super) fn check_exported_function(shell: &Shell<'_>, name: &str) {
    shell.emit(ShellEffect::Evasion(Evasion::ShadowedCommand(
        name.to_owned(),
    )));
}

/// Variables that change what a test run does, or whether hooks run, in a program started by
/// git's hooks.
pub(super) fn check_before_hooks(shell: &Shell<'_>) {
    for name in shell.exported_names() {
        if steers_tests(&name) {
            shell.emit(ShellEffect::Evasion(Evasion::SteersHooks(name)));
        } else if name == "PATH" && puts_programs_first(shell) {
            shell.emit(ShellEffect::Evasion(Evasion::SearchPath));
        }
    }
}

fn steers_tests(name: &str) -> bool {
    // The first two say where git looks for the user's configuration, hooks among it.
    const NAMES: &str = "HOME XDG_CONFIG_HOME PYTEST_ADDOPTS PYTEST_PLUGINS PYTHONPATH PYTHONSTARTUP PYTHONHOME \
         NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES \
         DYLD_LIBRARY_PATH RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS RUBYOPT RUBYLIB \
         PERL5OPT PERL5LIB JAVA_TOOL_OPTIONS MAVEN_OPTS GRADLE_OPTS GOFLAGS BASH_ENV ENV HUSKY \
         HUSKY_SKIP_HOOKS LEFTHOOK SKIP OVERCOMMIT_DISABLE";
    let is_cargo = name.starts_with("CARGO_")
        && (name.ends_with("_RUNNER")
            || name.ends_with("_WRAPPER")
            || name == "CARGO_BUILD_RUSTC"
            || name == "CARGO_HOME");
    NAMES.split(' ').any(|known| known == name)
        || is_cargo
        || name.starts_with("PRE_COMMIT_")
        || name.starts_with("LEFTHOOK_")
        || name.starts_with("BASH_FUNC_")
}

/// Whether a directory anyone can write to comes before the usual ones.
fn puts_programs_first(shell: &Shell<'_>) -> bool {
    let inherited = (shell.context().variables)("PATH").unwrap_or_default();
    let before: Vec<&str> = inherited.split(':').collect();
    let now = shell.exported("PATH").unwrap_or_default();
    now.split(':')
        .filter(|directory| !directory.is_empty() && !before.contains(directory))
        .any(|directory| !is_usual(shell, directory))
}

fn is_usual(shell: &Shell<'_>, directory: &str) -> bool {
    if !text::is_known(directory) {
        // The inherited path itself, where it is not known.
        return directory.starts_with(text::UNKNOWN);
    }
    let Some(path) = shell.known_path(directory) else {
        return false;
    };
    if shell.session.made.borrow().contains(&path) {
        return false;
    }
    let local = [
        ".venv/bin",
        "venv/bin",
        "node_modules/.bin",
        "vendor/bin",
        ".bin",
    ];
    if shell.is_inside(&path) {
        return local.iter().any(|end| path.ends_with(end));
    }
    let system = [
        "/usr",
        "/bin",
        "/sbin",
        "/opt",
        "/nix",
        "/snap",
        "/Library",
        "/Applications",
        "/home/linuxbrew",
    ];
    let in_home = shell
        .context()
        .home
        .is_some_and(|home| path.starts_with(home));
    in_home || system.iter().any(|start| path.starts_with(start))
}
