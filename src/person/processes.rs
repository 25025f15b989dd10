//! Processes as the system lists them: parents, names, when they began. Linux tells in `/proc`,
//! other systems by `ps`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// One process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    /// 0 where the parent is outside of what can be seen, as for `docker exec`.
    pub(crate) parent: u32,
    /// When it began, in hundredths of a second of the system's own count.
    pub(crate) began: u64,
    /// It has a controlling terminal.
    pub(crate) has_terminal: bool,
    /// It belongs to another user: none that this one could have started.
    pub(crate) is_foreign: bool,
    /// The program, as a file where the system tells, else its name.
    pub(crate) program: PathBuf,
    /// The words it was started with.
    pub(crate) words: Vec<String>,
    /// The part of the machine that the system keeps its account in; empty where there is none.
    pub(crate) scope: String,
    /// Where it counts processes; known of the outermost that can be seen.
    pub(crate) space: Option<Space>,
}

/// What a process sees of the machine: a container has its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Space {
    /// Its count of processes.
    pub(crate) processes: String,
    /// Its clock.
    pub(crate) clock: String,
    /// Its root folder, by device and inode.
    pub(crate) root: (u64, u64),
}

impl Process {
    /// The last component of its program.
    pub(crate) fn name(&self) -> String {
        name_of(&self.program)
    }

    /// The names it goes by: that of its program, and the one it was called by.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let called = self.words.first().map(|word| {
            let word = word.trim_start_matches('-');
            name_of(Path::new(word.split(':').next().unwrap_or(word)))
        });
        std::iter::once(self.name()).chain(called)
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // A program that was replaced while it runs.
    let name = name.strip_suffix(" (deleted)").unwrap_or(&name);
    name.strip_suffix(".exe").unwrap_or(name).to_owned()
}

/// A process and its ancestors, the process first.
pub(crate) fn chain(pid: u32) -> Vec<Process> {
    const DEEPEST: usize = 200;
    let mut found: Vec<Process> = Vec::new();
    let table = system::table_for_chains();
    let mut next = Some(pid);
    while let Some(pid) = next.filter(|pid| *pid > 0 && found.len() < DEEPEST) {
        let Some(process) = system::process(pid, table.as_deref()) else {
            break;
        };
        next = (!found.iter().any(|known| known.pid == process.parent)).then_some(process.parent);
        found.push(process);
    }
    // Above it there may be what can't be seen from here.
    if let Some(outermost) = found.last_mut().filter(|process| process.parent == 0) {
        outermost.space = system::own_space();
    }
    found
}

/// This process and its ancestors.
pub(crate) fn own_chain() -> Vec<Process> {
    chain(system::own_pid())
}

/// One process, if it runs.
pub(crate) fn one(pid: u32) -> Option<Process> {
    system::process(pid, system::table_for_chains().as_deref())
}

pub(crate) use system::{environment, folder, now, own_scope, own_space, since};

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::io::Read as _;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::MetadataExt;
    use std::path::{Path, PathBuf};

    use super::{Process, Space};
    use crate::this_process::stat;

    /// The count that processes begin in, now.
    pub(crate) fn now() -> u64 {
        let text = fs::read_to_string("/proc/uptime").unwrap_or_default();
        let seconds = text.split(' ').next().unwrap_or_default();
        let (whole, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
        let whole: u64 = whole.parse().unwrap_or_default();
        whole * 100 + part.parse::<u64>().unwrap_or_default()
    }

    /// In a namespace of its own a process has another number than the one it knows.
    pub(super) fn own_pid() -> u32 {
        let told = fs::read_link("/proc/self").ok();
        let told = told.and_then(|pid| pid.to_str()?.parse().ok());
        told.unwrap_or_else(std::process::id)
    }

    /// Each is looked up by itself.
    pub(super) fn table_for_chains() -> Option<Vec<Process>> {
        None
    }

    pub(super) fn process(pid: u32, _: Option<&[Process]>) -> Option<Process> {
        let folder = PathBuf::from(format!("/proc/{pid}"));
        let mut process = stat_of(pid)?;
        let words = fs::read(folder.join("cmdline")).unwrap_or_default();
        process.words = words
            .split(|byte| *byte == 0)
            .filter(|word| !word.is_empty())
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        if let Ok(program) = fs::read_link(folder.join("exe")) {
            process.program = program;
        }
        let owner = fs::metadata(&folder).map(|data| data.uid());
        process.is_foreign = owner.is_ok_and(|uid| uid != rustix::process::geteuid().as_raw());
        process.scope = scope(&folder);
        Some(process)
    }

    fn scope(folder: &Path) -> String {
        let scopes = fs::read_to_string(folder.join("cgroup")).unwrap_or_default();
        let unified = scopes.lines().find_map(|line| line.strip_prefix("0::"));
        unified.unwrap_or_default().to_owned()
    }

    /// What the system accounts this process to.
    pub(crate) fn own_scope() -> String {
        scope(Path::new("/proc/self"))
    }

    /// What this process sees of the machine.
    pub(crate) fn own_space() -> Option<Space> {
        let link = |name: &str| fs::read_link(format!("/proc/self/ns/{name}"));
        let root = fs::metadata("/").ok()?;
        Some(Space {
            processes: link("pid").ok()?.display().to_string(),
            clock: link("time").unwrap_or_default().display().to_string(),
            root: (root.dev(), root.ino()),
        })
    }

    /// The folder that a process works in, where it may be read.
    pub(crate) fn folder(pid: u32) -> Option<PathBuf> {
        fs::read_link(format!("/proc/{pid}/cwd")).ok()
    }

    /// What began since a moment and still runs.
    pub(crate) fn since(clock: u64) -> Vec<Process> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
            .filter(|pid| stat_of(*pid).is_some_and(|process| process.began >= clock))
            .filter_map(|pid| process(pid, None))
            .collect()
    }

    /// There are hundreds of processes to ask: one read each, which gives the whole line.
    fn stat_of(pid: u32) -> Option<Process> {
        const LONGEST: usize = 1_024;
        let mut line = [0; LONGEST];
        let mut file = fs::File::open(format!("/proc/{pid}/stat")).ok()?;
        let length = file.read(&mut line).ok()?;
        running(line.get(..length)?)
    }

    /// The variables that a process was started with, where they may be read.
    pub(crate) fn environment(pid: u32) -> Vec<Vec<u8>> {
        let bytes = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        bytes.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
    }

    /// A process that still runs.
    fn running(line: &[u8]) -> Option<Process> {
        let stat = stat::parse(line).filter(|stat| !stat.ended)?;
        Some(Process {
            pid: stat.pid,
            parent: stat.parent,
            has_terminal: stat.has_terminal,
            began: stat.began?,
            program: PathBuf::from(std::ffi::OsStr::from_bytes(&stat.name)),
            ..Process::default()
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::path::PathBuf;
    use std::process::{Command, Stdio};

    use super::{Process, Space};
    use crate::clock;

    /// The count that processes begin in, now.
    pub(crate) fn now() -> u64 {
        clock::seconds_now() * 100
    }

    pub(super) fn own_pid() -> u32 {
        std::process::id()
    }

    pub(super) fn table_for_chains() -> Option<Vec<Process>> {
        Some(all())
    }

    pub(super) fn process(pid: u32, table: Option<&[Process]>) -> Option<Process> {
        let found = table?.iter().find(|process| process.pid == pid);
        found.cloned()
    }

    /// What began since a moment and still runs.
    pub(crate) fn since(clock: u64) -> Vec<Process> {
        all().into_iter().filter(|one| one.began >= clock).collect()
    }

    fn all() -> Vec<Process> {
        const COLUMNS: &str = "pid=,ppid=,uid=,tty=,etime=,command=";
        let listed = Command::new("/bin/ps")
            .args(["-axww", "-o", COLUMNS])
            .stdin(Stdio::null())
            .output();
        let text = listed.map(|done| done.stdout).unwrap_or_default();
        let (now, us) = (now(), rustix::process::geteuid().as_raw());
        String::from_utf8_lossy(&text)
            .lines()
            .filter_map(|line| super::parse_ps(line, now, us))
            .collect()
    }

    pub(crate) fn own_scope() -> String {
        String::new()
    }

    pub(crate) fn own_space() -> Option<Space> {
        None
    }

    pub(crate) fn folder(_: u32) -> Option<PathBuf> {
        None
    }

    /// Other systems tell nobody, or only in ways that need rights.
    pub(crate) fn environment(_: u32) -> Vec<Vec<u8>> {
        Vec::new()
    }
}

/// Reads a line of `ps`: `pid ppid uid tty etime command`.
#[cfg(any(test, not(target_os = "linux")))]
fn parse_ps(line: &str, now: u64, us: u32) -> Option<Process> {
    let mut fields = line.split_whitespace();
    let pid = fields.next()?.parse().ok()?;
    let parent = fields.next()?.parse().ok()?;
    let uid: u32 = fields.next()?.parse().ok()?;
    let terminal = fields.next()?;
    let lives = seconds_of(fields.next()?)?;
    let words: Vec<String> = fields.map(str::to_owned).collect();
    Some(Process {
        pid,
        parent,
        began: now.saturating_sub(lives * 100),
        has_terminal: !terminal.starts_with('?') && terminal != "-",
        is_foreign: uid != us,
        program: PathBuf::from(words.first().cloned().unwrap_or_default()),
        words,
        ..Process::default()
    })
}

/// `[[days-]hours:]minutes:seconds`
#[cfg(any(test, not(target_os = "linux")))]
fn seconds_of(lives: &str) -> Option<u64> {
    let (days, rest) = lives.split_once('-').unwrap_or(("0", lives));
    let mut seconds = 0;
    for part in rest.split(':') {
        seconds = seconds * 60 + part.parse::<u64>().ok()?;
    }
    Some(days.parse::<u64>().ok()? * 24 * 60 * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_ps_are_read() {
        let line = "  501     1   502 ??       01-02:03:04 /usr/bin/sh later.sh";
        let found = parse_ps(line, 100_000_000, 501).expect("a process");
        assert_eq!((found.pid, found.parent), (501, 1));
        assert_eq!(found.began, 100_000_000 - 9_378_400);
        assert!(!found.has_terminal && found.is_foreign);
        assert_eq!(found.name(), "sh");
        let line = "7 501 501 ttys003 00:01 -zsh";
        let found = parse_ps(line, 1_000, 501).expect("a process");
        assert!(found.has_terminal && !found.is_foreign);
        assert_eq!(
            (found.began, found.names().last()),
            (900, Some("zsh".into()))
        );
        assert_eq!(parse_ps("PID PPID", 0, 0), None);
    }

    #[test]
    fn our_own_chain_begins_with_us() {
        let chain = own_chain();
        assert_eq!(
            chain.first().map(|process| process.pid),
            Some(std::process::id())
        );
        assert!(chain.len() > 1);
        assert!(chain.iter().all(|process| process.began <= now() + 100));
    }
}
