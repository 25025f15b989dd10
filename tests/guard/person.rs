//! A person is shown by the processes above: the ways people come in pass, also while an agent is
//! at work, and what an agent's hand has started does not.

use serde_json::json;

use super::{Client, eventually, is_armed, really, run_by_agent, shell_named};
use crate::support::{PROGRAM, Repo};

/// Marks that a client's shell has, as a script drops them.
const UNMARK: &str = "unset CLAUDECODE AI_AGENT\n";

/// Switches off and on again in a shell, and says in a file how it ended.
fn off_and_on(repo: &Repo) -> String {
    let done = repo.around().join("done");
    drop(std::fs::remove_file(&done));
    let done = done.display();
    format!(
        "{{ {PROGRAM} off && {PROGRAM} on; }} >{done}.out 2>&1; echo $? >{done}.new; mv {done}.new {done}"
    )
}

fn assert_passed(repo: &Repo, how: &str) {
    let done = repo.around().join("done");
    eventually(how, || done.exists());
    let said = std::fs::read_to_string(done.with_extension("out")).unwrap_or_default();
    let status = std::fs::read_to_string(&done).expect("a status");
    assert_eq!(status.trim(), "0", "{how}: {said}");
    assert!(is_armed(repo), "{how}");
}

/// Each way in, as a command of a person's shell.
fn ways_in(repo: &Repo) -> Vec<(&'static str, String)> {
    let wanted = off_and_on(repo);
    let script = repo.around().join("person.sh");
    std::fs::write(&script, format!("{wanted}\n")).expect("a script");
    let script = script.display();
    let shell = |name: &str| shell_named(repo, name).display().to_string();
    vec![
        (
            "a script without a terminal",
            format!("sh {script} </dev/null"),
        ),
        (
            "a script in a session of its own",
            format!("setsid -w sh {script} </dev/null"),
        ),
        (
            "a script in the background",
            format!("nohup sh {script} >/dev/null 2>&1 & wait"),
        ),
        (
            "an empty environment",
            format!(
                "env -i PATH=\"$PATH\" HOME=\"$HOME\" $(env | grep ^GIT_ | tr '\\n' ' ') sh {script}"
            ),
        ),
        (
            "a terminal",
            format!("script -qec 'sh {script}' /dev/null </dev/null"),
        ),
        (
            "the terminal of an editor",
            format!("{} -c 'sh {script}; true'", shell("code")),
        ),
        (
            "a server of ssh",
            format!("{} -c 'sh {script}; true'", shell("sshd")),
        ),
        (
            "a scheduler",
            format!("{} -c 'sh {script}; true'", shell("cron")),
        ),
        (
            "a runner of CI",
            format!("{} -c 'sh {script}; true'", shell("Runner.Worker")),
        ),
        ("a container", container(repo, &script.to_string())),
    ]
}

/// A script in processes and below a root folder of its own, where the system lets us.
fn container(repo: &Repo, script: &str) -> String {
    let around = repo.around();
    let inner = around.join("container");
    let enter = inner.join("enter.sh");
    let inner = inner.display();
    std::fs::create_dir_all(enter.parent().expect("a folder")).expect("a folder");
    let text = format!(
        "set -e\ncd {inner}\nmkdir -p up work root\n\
         mount -t tmpfs none up\nmkdir up/up up/work\n\
         mount -t overlay -o lowerdir=/,upperdir=up/up,workdir=up/work none root\n\
         mount --rbind {around} root{around}\nmount -t proc none root/proc\n\
         [ \"$1\" ] || exit 0\nexec chroot root sh -c \"cd {} && sh $1; true\"\n",
        repo.root().display(),
        around = around.display()
    );
    std::fs::write(&enter, text).expect("a script");
    let enter = enter.display();
    format!(
        "if unshare -pfm sh {enter} 2>/dev/null; then unshare -pfm sh {enter} {script}; else sh {script}; fi"
    )
}

#[test]
fn people_switch_it_off_whichever_way_they_come_in() {
    if run_by_agent() {
        return;
    }
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    client.starts();
    let call = json!({"command": "make all"});
    for is_call_open in [false, true] {
        if is_call_open {
            assert_eq!(client.asks("Bash", &call), None);
        }
        for (how, command) in ways_in(&repo) {
            drop(std::fs::remove_file(repo.around().join("done")));
            let ran = really(&repo, "sh").args(["-c", &command]).output();
            assert!(ran.is_ok(), "{how}");
            assert_passed(&repo, how);
        }
    }
    client.has_called("Bash", &call);
    assert!(is_armed(&repo));
}

#[test]
fn people_switch_it_off_in_a_multiplexer() {
    if run_by_agent() || which("tmux").is_none() {
        return;
    }
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    client.starts();
    assert!(client.shell("true").is_ok());
    let wanted = off_and_on(&repo);
    let socket = repo.around().join("tmux");
    let socket = socket.to_str().expect("text");
    let server = really(&repo, "tmux")
        .args([
            "-S",
            socket,
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            &wanted,
        ])
        .env("TERM", "xterm")
        .status();
    assert!(server.is_ok_and(|status| status.success()));
    assert_passed(&repo, "tmux, started between two calls");
}

fn which(program: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.exists())
}

/// A script of an agent that tries to switch off, and tells when it is over.
fn free(repo: &Repo, prelude: &str) -> (String, std::path::PathBuf) {
    let (script, over) = (repo.around().join("free.sh"), repo.around().join("over"));
    drop(std::fs::remove_file(&over));
    let text = format!(
        "{UNMARK}{prelude}{PROGRAM} off --json >{over}.out 2>&1 || {PROGRAM} mode relaxed >>{over}.out 2>&1\ntouch {over}\n",
        over = over.display()
    );
    std::fs::write(&script, text).expect("a script");
    (script.display().to_string(), over)
}

#[test]
fn no_hand_of_an_agent_switches_it_off() {
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    client.starts();
    for means in [
        "sh SCRIPT",
        "env -i PATH=\"$PATH\" HOME=\"$HOME\" sh SCRIPT",
        "setsid -w sh SCRIPT </dev/null",
        "nohup sh SCRIPT >/dev/null 2>&1 </dev/null",
        "(sh SCRIPT &) ; wait",
        "unshare -Urpf --mount-proc sh SCRIPT || sh SCRIPT",
        "unshare -Urpf --mount-proc env -i PATH=\"$PATH\" HOME=\"$HOME\" sh SCRIPT || sh SCRIPT",
        "setsid -f unshare -Urpf --mount-proc sh SCRIPT >/dev/null 2>&1 </dev/null || sh SCRIPT",
        "script -qec 'sh SCRIPT' /dev/null </dev/null",
        "python3 -c 'import subprocess; subprocess.run([\"sh\", \"SCRIPT\"], env={\"PATH\": \"/usr/bin:/bin\"})'",
        "setsid -f sh SCRIPT >/dev/null 2>&1 </dev/null",
        "setsid -f nohup env -i PATH=\"$PATH\" HOME=\"$HOME\" sh SCRIPT >/dev/null 2>&1 </dev/null",
    ] {
        let (script, over) = free(&repo, "");
        let input = json!({"command": "make all"});
        assert_eq!(client.asks("Bash", &input), None);
        client.runs(&means.replace("SCRIPT", &script));
        eventually(means, || over.exists());
        client.has_called("Bash", &input);
        let said = std::fs::read_to_string(over.with_extension("out")).unwrap_or_default();
        assert!(is_armed(&repo), "{means}: {said}");
        assert!(said.contains("is for people"), "{means}: {said}");
    }
}

#[test]
fn what_outlives_a_call_is_no_person_afterwards() {
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    client.starts();
    let go = repo.around().join("go");
    for means in [
        "setsid -f sh SCRIPT >/dev/null 2>&1 </dev/null",
        "nohup sh SCRIPT >/dev/null 2>&1 </dev/null &",
        "setsid -f unshare -Urpf --mount-proc sh SCRIPT >/dev/null 2>&1 </dev/null || setsid -f sh SCRIPT",
        // Its parent is gone by the time it calls.
        "setsid -f sh -c 'until [ -e GO ]; do sleep 0.01; done; setsid -f sh SCRIPT' >/dev/null 2>&1 </dev/null",
    ] {
        drop(std::fs::remove_file(&go));
        let wait = format!("until [ -e {} ]; do sleep 0.01; done\n", go.display());
        let (script, over) = free(&repo, &wait);
        let means = means
            .replace("SCRIPT", &script)
            .replace("GO", &go.display().to_string());
        let input = json!({"command": "make all"});
        assert_eq!(client.asks("Bash", &input), None);
        client.runs(&means);
        client.has_called("Bash", &input);
        client.stops();
        std::fs::write(&go, "").expect("a file");
        eventually(&means, || over.exists());
        let said = std::fs::read_to_string(over.with_extension("out")).unwrap_or_default();
        assert!(is_armed(&repo), "{means}: {said}");
    }
}

#[test]
fn a_test_can_not_switch_it_off() {
    let repo = Repo::new().installed();
    repo.write(
        "tests/free.t",
        &format!("{UNMARK}env -i PATH=\"$PATH\" {PROGRAM} off && exit 0\nfalse\n"),
    );
    let ran = really(&repo, PROGRAM).args(["run"]).output();
    assert!(ran.is_ok());
    assert!(is_armed(&repo));
}

#[test]
fn a_run_of_an_agents_script_brings_no_results_of_its_own() {
    let repo = Repo::in_green();
    let client = Client::new(&repo);
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let input = json!({"command": "make all"});
    assert_eq!(client.asks("Bash", &input), None);
    client.runs(&format!("{UNMARK}{PROGRAM} run -- true"));
    assert_eq!(repo.status()["phase"], "green");
}
