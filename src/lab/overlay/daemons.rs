//! Tools that leave work to a process which outlives them: one that runs outside of the lab would
//! answer with the worktree's code. They are told to do without.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::runners::RUNNERS;

/// Variables that switch a tool's daemon off.
const OFF: &[(&str, &str)] = &[
    ("NX_DAEMON", "false"),
    ("TURBO_DAEMON", "false"),
    ("DISABLE_SPRING", "1"),
    ("MSBUILDDISABLENODEREUSE", "1"),
    ("DOTNET_CLI_USE_MSBUILD_SERVER", "0"),
    ("UseSharedCompilation", "false"),
    // A compiler wrapper like sccache compiles in its server.
    ("RUSTC_WRAPPER", ""),
];

/// Programs that only ask a daemon, and whose clients do without where they fail.
const ASKERS: &[&str] = &["watchman"];

/// The environment with daemons switched off. `stand_ins` is a folder of our own for programs.
pub(in super::super) fn without_daemons(
    mut given: Vec<(OsString, OsString)>,
    stand_ins: &Path,
) -> Vec<(OsString, OsString)> {
    stand_in(&mut given, stand_ins);
    for (name, words) in RUNNERS.iter().filter_map(|runner| runner.no_daemon) {
        let own = given.iter().position(|(given, _)| given == name);
        let mut value = own.map_or_else(OsString::new, |at| given.remove(at).1);
        if !value.is_empty() {
            value.push(" ");
        }
        value.push(words);
        given.push((name.into(), value));
    }
    given.retain(|(name, _)| !OFF.iter().any(|(off, _)| name == off));
    given.extend(OFF.iter().map(|(name, value)| (name.into(), value.into())));
    given
}

/// Puts a program that fails in front of one that asks a daemon.
fn stand_in(given: &mut [(OsString, OsString)], folder: &Path) {
    let Some((_, path)) = given.iter_mut().find(|(name, _)| name == "PATH") else {
        return;
    };
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found = |name: &&&str| folders.iter().any(|folder| folder.join(name).is_file());
    let askers: Vec<&&str> = ASKERS.iter().filter(found).collect();
    let all_made = askers
        .iter()
        .all(|name| make_failing(&folder.join(name)).is_ok());
    let first = std::iter::once(folder.to_path_buf());
    if let (false, true, Ok(joined)) = (
        askers.is_empty(),
        all_made,
        std::env::join_paths(first.chain(folders)),
    ) {
        *path = joined;
    }
}

fn make_failing(program: &Path) -> io::Result<()> {
    if let Some(folder) = program.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(program, "#!/bin/sh\nexit 1\n")?;
    fs::set_permissions(program, Permissions::from_mode(0o755))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_asks_a_daemon_is_stood_in_for_where_there_is_one() {
        let dir = tempfile::tempdir().unwrap();
        let (bin, own) = (dir.path().join("bin"), dir.path().join("own"));
        fs::create_dir(&bin).unwrap();
        let given = vec![(OsString::from("PATH"), bin.clone().into_os_string())];
        let path = |given: &[(OsString, OsString)]| value(given, "PATH")[0].clone();
        assert_eq!(path(&without_daemons(given.clone(), &own)), bin);
        fs::write(bin.join("watchman"), "").unwrap();
        let expected = std::env::join_paths([&own, &bin]).unwrap();
        assert_eq!(path(&without_daemons(given, &own)), expected);
        assert!(
            !std::process::Command::new(own.join("watchman"))
                .status()
                .unwrap()
                .success()
        );
    }

    fn value(environment: &[(OsString, OsString)], name: &str) -> Vec<OsString> {
        let named = environment.iter().filter(|(found, _)| found == name);
        named.map(|(_, value)| value.clone()).collect()
    }

    #[test]
    fn what_was_set_stays_and_daemons_are_off() {
        let given = [
            ("NX_DAEMON", "true"),
            ("GRADLE_OPTS", "-Xmx1g"),
            ("HOME", "/h"),
        ];
        let given = given.map(|(name, value)| (name.into(), value.into()));
        let environment = without_daemons(given.to_vec(), Path::new("/none"));
        assert_eq!(value(&environment, "NX_DAEMON"), ["false"]);
        assert_eq!(value(&environment, "HOME"), ["/h"]);
        let gradle = value(&environment, "GRADLE_OPTS");
        assert_eq!(
            gradle,
            ["-Xmx1g -Dorg.gradle.daemon=false -Dkotlin.compiler.execution.strategy=in-process"]
        );
    }
}
