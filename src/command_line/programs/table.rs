//! Who handles which program.

use super::{
    Handler, archives, attributes, builtins, copies, deletions, directories, downloads, editors,
    filters, find, git, github, interpreters, links, listings, outputs, patches, printing, recipes,
    runners, shells, tool, variables, wrappers, xargs,
};
use crate::clients;

/// The handler for exactly this name.
pub(super) fn lookup(name: &str) -> Option<(&'static str, Handler)> {
    let known = PROGRAMS.iter().find_map(|(handler, names)| {
        let known = names.split_whitespace().find(|known| *known == name)?;
        Some((known, *handler))
    });
    known.or_else(|| clients::program(name).map(|agent| (agent, tool::agent as Handler)))
}

const PROGRAMS: &[(Handler, &str)] = &[
    (github::gh, "gh"),
    (archives::seven_zip, "7z 7za 7zr"),
    (archives::tar, "bsdtar tar"),
    (archives::zip, "zip"),
    (attributes::change, "chattr chgrp chmod chown"),
    (attributes::setfacl, "setfacl"),
    (attributes::touch, "touch"),
    (builtins::command, "builtin command nocorrect noglob"),
    (builtins::completion, "compgen"),
    (builtins::eval, "eval"),
    (builtins::exec, "exec"),
    (builtins::fail, "false"),
    (
        builtins::harmless,
        "exit jobs printenv return ulimit umask wait",
    ),
    (builtins::source, ". source"),
    (builtins::succeed, ": true"),
    (builtins::test, "[ test"),
    (builtins::trap, "trap"),
    (copies::cp, "cp"),
    (copies::dd, "dd"),
    (copies::install, "install"),
    (copies::mv, "mv"),
    (copies::rsync, "rsync"),
    (copies::scp, "scp sftp"),
    (copies::transfer, "aws gcloud gsutil kubectl"),
    (deletions::gio, "gio"),
    (
        deletions::rm,
        "del del-cli rimraf rip rm rmdir trash trash-put unlink",
    ),
    (deletions::shred, "shred srm wipe"),
    (directories::cd, "cd chdir"),
    (directories::mkdir, "mkdir"),
    (directories::popd, "popd"),
    (directories::pushd, "pushd"),
    (directories::pwd, "pwd"),
    (downloads::by_options, "aria2c http https"),
    (downloads::curl, "curl"),
    (downloads::wget, "wget wget2"),
    (editors::awk, "awk gawk mawk nawk"),
    (editors::sed, "sed ssed"),
    (filters::base, "base32 base64 basenc"),
    (filters::cat, "cat"),
    (filters::cut, "cut"),
    (filters::grep, "ack ag egrep fgrep grep rg"),
    (filters::rev, "rev"),
    (filters::rewriter, "column fold paste wc"),
    (filters::some_lines, "head nl shuf tail uniq"),
    (filters::sort, "sort"),
    (filters::tac, "tac"),
    (filters::tee, "tee"),
    (filters::tr, "tr"),
    (filters::unpacker, "ascii2uni uncompress uudecode"),
    (filters::xxd, "xxd"),
    (find::fd, "fd fdfind"),
    (find::find, "find"),
    (git::git, "git hub"),
    (git::tcr, "git-tcr"),
    (
        interpreters::javascript,
        "bun deno node nodejs qjs ts-node tsx",
    ),
    (interpreters::line_language, "perl ruby"),
    (interpreters::python, "ipython pypy python"),
    (links::link, "link"),
    (links::ln, "ln"),
    (links::mount, "mount"),
    (listings::ls, "dir ls vdir"),
    (outputs::manual, "man"),
    (outputs::openssl, "openssl"),
    (outputs::split, "csplit split"),
    (outputs::viewer, "less more most"),
    (patches::agent_patch, "apply_patch applypatch"),
    (patches::diff, "diff"),
    (patches::patch, "patch"),
    (printing::basename, "basename"),
    (printing::dirname, "dirname"),
    (printing::echo, "echo print"),
    (printing::mktemp, "mktemp"),
    (printing::realpath, "readlink realpath"),
    (printing::seq, "seq"),
    (printing::which, "type whence which"),
    (recipes::just, "just"),
    (recipes::make, "gmake make"),
    (
        recipes::task_runner,
        "composer grunt gulp inv invoke nox poe rake task",
    ),
    (runners::container, "docker podman docker-compose nerdctl"),
    (
        runners::package_manager,
        "apk apt apt-get brew cargo choco dnf dpkg gem nix-env pacman pip port rpm scoop snap \
         winget yum zypper",
    ),
    (runners::package_runner, "bunx npx pipx pnpx uvx"),
    (
        runners::script_runner,
        "asdf bundle cabal conda doppler dotenv hatch mamba micromamba mise npm op pdm pipenv \
         pixi pnpm poetry rtx rye stack uv volta yarn",
    ),
    (shells::at, "at batch"),
    (shells::crontab, "crontab"),
    (
        shells::sh,
        "ash bash csh dash ksh mksh rbash sh tcsh yash zsh",
    ),
    (shells::ssh, "ssh"),
    (shells::su, "runuser su"),
    (tool::kill, "kill"),
    (tool::pgrep, "pgrep pidof"),
    (tool::pkill, "killall killall5 pkill"),
    (tool::ps, "ps"),
    (tool::service, "launchctl service systemctl"),
    (tool::set_variable, "setx"),
    (variables::alias, "alias"),
    (variables::arithmetic, "let"),
    (variables::declare, "declare export local readonly typeset"),
    (variables::mapfile, "mapfile readarray"),
    (variables::printf, "printf"),
    (variables::read, "read"),
    (variables::rename_command, "enable hash"),
    (variables::set, "set"),
    (variables::shift, "shift"),
    (variables::shopt, "setopt shopt"),
    (variables::unset, "unset"),
    (
        wrappers::texts,
        "concurrently hyperfine nodemon pee watchexec direnv expect nix nix-shell perf screen \
            script tmux watch",
    ),
    (wrappers::env, "cross-env env"),
    (wrappers::flock, "flock"),
    (wrappers::multicall, "busybox coreutils shx toybox"),
    (
        wrappers::plain,
        "bwrap caffeinate cgexec choom chronic chroot chrt doas eatmydata entr fakeroot \
         faketime firejail i386 ifne ionice ld-linux ld-linux-x86-64.so ld-musl-x86_64.so \
         linux32 linux64 ltrace nice nohup nsenter numactl pkexec prlimit proot rlwrap run0 \
         setarch setpriv setsid stdbuf strace sudo systemd-run taskset time timeout unbuffer \
         unshare valgrind winpty x86_64 xvfb-run",
    ),
    (xargs::parallel, "parallel"),
    (xargs::xargs, "xargs"),
];
