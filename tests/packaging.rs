//! What people install: completions, manual pages, packages.

use std::path::Path;
use std::process::Command;

use crate::support::{PROGRAM, Ran, Repo, programs};

fn run(command: &mut Command) -> Ran {
    Ran::from(command.output().expect("the program starts"))
}

#[test]
fn five_shells_get_completions() {
    let repo = Repo::bare_start();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = repo.tcr(&["completions", shell]).success().stdout;
        for word in ["recover", "restore", "squash", "stats"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

/// What bash offers for the last of some words.
fn offered(repo: &Repo, function: &str, words: &str) -> Vec<String> {
    let script = repo.path("completions.bash");
    std::fs::write(&script, repo.tcr(&["completions", "bash"]).success().stdout).expect("a file");
    let last = words.split(' ').count() - 1;
    // git's completion has the words in `words` and `cword` when it calls.
    let line = format!(
        ". '{}'; words=({words}); cword={last}; COMP_WORDS=({words}); COMP_CWORD={last}; \
         {function} \"${{words[0]}}\" \"${{words[cword]}}\" \"${{words[cword-1]}}\"; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display()
    );
    let ran = run(repo.command("bash").args(["-c", &line])).success();
    ran.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_the_program_and_the_subcommand_of_git() {
    let repo = Repo::bare_start();
    let direct = |words| offered(&repo, "_git__tcr", words);
    let by_git = |words| offered(&repo, "_git_tcr", words);
    assert_eq!(direct("git-tcr inst"), ["install"]);
    assert_eq!(direct("git-tcr recover rest"), ["restore"]);
    assert_eq!(direct("git-tcr report --o"), ["--out"]);
    assert_eq!(by_git("git tcr inst"), ["install"]);
    assert_eq!(by_git("git tcr recover rest"), ["restore"]);
    assert_eq!(by_git("git tcr mode obs"), ["observe"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let repo = Repo::bare_start();
    let folder = repo.path("man");
    let folder = folder.to_str().expect("text");
    repo.tcr(&["man", "--install", "--dir", folder]).success();
    for name in ["git-tcr", "git-tcr-run", "git-tcr-report", "git-tcr-stats"] {
        let page = repo.read(&format!("man/man1/{name}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
        let source = concat!("\"git-tcr ", env!("CARGO_PKG_VERSION"), "\"");
        assert!(page.contains(source), "{name}: {page}");
    }
}

#[test]
fn the_version_is_told() {
    let told = Repo::bare_start().tcr(&["--version"]).success().stdout;
    assert!(
        told.starts_with(concat!("git-tcr ", env!("CARGO_PKG_VERSION"))),
        "{told}"
    );
}

/// The Debian package of a stripped program, installed below a folder of its own.
#[test]
fn a_debian_package_installs_into_a_root_of_its_own() {
    if !programs::were_set_up(&["dpkg", "dpkg-deb", "strip", "sha256sum"]) {
        return;
    }
    let repo = Repo::bare_start();
    let at = |name: &str| repo.path(name).to_str().expect("text").to_owned();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging");
    run(repo.command("strip").args(["-o", &at("git-tcr"), PROGRAM])).success();
    run(repo
        .command(folder.join("debian.sh"))
        .args([at("git-tcr"), at("dist")]))
    .success();
    run(repo
        .command(folder.join("archive.sh"))
        .args([&at("git-tcr"), "here", &at("dist")]))
    .success();
    run(repo
        .command("sha256sum")
        .args(["--check", "SHA256SUMS"])
        .current_dir(at("dist")))
    .success();

    std::fs::create_dir_all(at("root/var/lib/dpkg/updates")).expect("folders");
    std::fs::create_dir_all(at("root/var/lib/dpkg/info")).expect("folders");
    for file in ["status", "available"] {
        std::fs::write(at(&format!("root/var/lib/dpkg/{file}")), "").expect("a file");
    }
    let package = std::fs::read_dir(at("dist"))
        .expect("a folder")
        .flatten()
        .map(|item| item.path())
        .find(|path| path.extension().is_some_and(|end| end == "deb"))
        .expect("a package");
    // The root holds nothing else, so what git-tcr needs is not in it.
    let root = format!("--root={}", at("root"));
    run(repo
        .command("dpkg")
        .args([&root, "--force-depends", "--force-not-root", "--install"])
        .arg(package))
    .success();
    let installed = run(repo.command(at("root/usr/bin/git-tcr")).arg("--version")).success();
    assert_eq!(installed.stdout, repo.tcr(&["--version"]).stdout);
    for path in [
        "man/man1/git-tcr-run.1.gz",
        "bash-completion/completions/git-tcr",
        "zsh/vendor-completions/_git-tcr",
        "fish/vendor_completions.d/git-tcr.fish",
        "doc/git-tcr/copyright",
        "git-tcr/tcr.schema.json",
    ] {
        assert!(repo.exists(&format!("root/usr/share/{path}")), "{path}");
    }
    run(repo
        .command("dpkg")
        .args([&root, "--force-not-root", "--remove", "git-tcr"]))
    .success();
    assert!(!repo.exists("root/usr/bin/git-tcr"));
}
