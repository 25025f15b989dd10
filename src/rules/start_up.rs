//! Files from which shells, clients and services take their environment: they may be edited, but
//! not to switch git-tcr off with what starts next.

/// Start-up files by name, wherever they are.
const NAMES: &[&str] = &[
    ".bash_aliases",
    ".bash_env",
    ".bash_login",
    ".bash_profile",
    ".bashrc",
    ".cshrc",
    ".env",
    ".envrc",
    ".kshrc",
    ".login",
    ".mise.toml",
    ".mkshrc",
    ".pam_environment",
    ".profile",
    ".shrc",
    ".tcshrc",
    ".xinitrc",
    ".xonshrc",
    ".xprofile",
    ".xsessionrc",
    ".zlogin",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    "config.fish",
    "config.nu",
    "devcontainer.json",
    "env.nu",
    "microsoft.powershell_profile.ps1",
    "mise.toml",
    "profile.ps1",
    "rc.elv",
];

/// Folders whose files are all read at start-up, or that hold such settings.
const FOLDERS: &[&str] = &[
    "/.bashrc.d/",
    "/.config/environment.d/",
    "/.config/fish/",
    "/.config/nushell/autoload/",
    "/.config/systemd/user/",
    "/.vscode/settings.json",
    "/.zshrc.d/",
    "/etc/bash.bashrc",
    "/etc/environment",
    "/etc/environment.d/",
    "/etc/profile",
    "/etc/profile.d/",
    "/etc/zsh/",
    "/library/launchagents/",
];

/// Whether a file, by its absolute path, steers the environment of what is started later.
pub fn is_start_up_file(path: &[u8]) -> bool {
    let path = String::from_utf8_lossy(path).to_lowercase();
    let name = path.rsplit('/').next().unwrap_or("");
    // `.env.local` and its like; an example is nobody's environment.
    let is_variant = name.starts_with(".env.") && !name.ends_with("example");
    is_variant
        || NAMES.binary_search(&name).is_ok()
        || FOLDERS.iter().any(|folder| path.contains(folder))
}

/// Whether a line that was not there before switches git-tcr off.
pub fn adds_switch(before: Option<&[u8]>, after: &[u8]) -> bool {
    let before = String::from_utf8_lossy(before.unwrap_or_default());
    let after = String::from_utf8_lossy(after);
    after
        .lines()
        .filter(|line| switches_off(line))
        .any(|line| !before.lines().any(|known| known == line))
}

/// Whether a command or a tool's input, whose outcome is not known, speaks of a switch.
pub fn names_switch(text: &str) -> bool {
    text.lines().any(switches_off)
}

fn switches_off(line: &str) -> bool {
    let line = line.trim_start();
    if line.starts_with(['#', ';']) || line.starts_with("//") {
        return false;
    }
    let lower = line.to_lowercase();
    names_word(line, "GIT_TCR")
        || lower.contains("core.hookspath")
        || ["GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"]
            .iter()
            .any(|name| names_word(line, name))
        || replaces_tool(&lower)
}

/// Whether a name stands in a text as a word of its own, and not within another.
pub fn names_word(text: &str, name: &str) -> bool {
    let continues = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).unwrap_or("");
        let after = text.get(at + name.len()..).unwrap_or("");
        !before.ends_with(continues) && !after.starts_with(continues)
    })
}

/// `alias git-tcr=true`, `git-tcr() { …`, `function git-tcr`.
fn replaces_tool(line: &str) -> bool {
    line.match_indices("git-tcr").any(|(at, tool)| {
        let before = line.get(..at).unwrap_or("").trim_end();
        let after = line.get(at + tool.len()..).unwrap_or("").trim_start();
        after.starts_with("()")
            || ["alias", "function", "def", "fn"]
                .iter()
                .any(|word| before.ends_with(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted_for_the_search() {
        assert!(NAMES.is_sorted());
    }

    #[test]
    fn which_files() {
        for (path, is_one) in [
            ("/home/a/.bashrc", true),
            ("/home/a/.config/fish/conf.d/x.fish", true),
            ("/home/a/.config/environment.d/x.conf", true),
            ("/repo/.env", true),
            ("/repo/.env.local", true),
            ("/repo/.env.example", false),
            ("/repo/.envrc", true),
            ("/etc/profile.d/x.sh", true),
            ("/home/a/Library/LaunchAgents/x.plist", true),
            ("/repo/docs/env.md", false),
            ("/repo/src/environment.rs", false),
        ] {
            assert_eq!(is_start_up_file(path.as_bytes()), is_one, "{path}");
        }
    }

    #[test]
    fn which_lines() {
        for (line, switches) in [
            ("export GIT_TCR=off", true),
            ("GIT_TCR=off", true),
            ("set -gx GIT_TCR off", true),
            ("$env.GIT_TCR = 'off'", true),
            ("\"GIT_TCR\": \"off\"", true),
            ("git config --global core.hooksPath /dev/null", true),
            ("export GIT_CONFIG_COUNT=1", true),
            ("alias git-tcr=true", true),
            ("git-tcr() { true; }", true),
            ("# GIT_TCR=off would switch it off", false),
            ("MY_GIT_TCR_NOTES=1", false),
            ("export PATH=$HOME/.cargo/bin:$PATH", false),
            ("eval \"$(git-tcr completions bash)\"", false),
            ("alias gs='git status'", false),
        ] {
            assert_eq!(switches_off(line), switches, "{line}");
        }
    }

    #[test]
    fn only_new_lines_count() {
        let before = b"export GIT_TCR=off\n".as_slice();
        assert!(adds_switch(None, before));
        assert!(!adds_switch(
            Some(before),
            b"export GIT_TCR=off\nexport A=1\n"
        ));
        assert!(!adds_switch(Some(before), b""));
    }
}
