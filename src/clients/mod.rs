//! The shelf of clients: the programs that run coding agents and call our hooks.
//!
//! One file holds all that is known of one client, as a [`Profile`]; the table below is the only list
//! of them. What several clients share is next to them: shapes of messages, names of tools, entries in
//! JSON settings.

mod answer;
pub(crate) mod apply_patch;
pub(crate) mod event;
mod hook_shape;
pub(crate) mod patched_text;
mod payload;
pub(crate) mod places;
mod profile;
pub(crate) mod roles;
pub(crate) mod settings;
#[cfg(test)]
mod shelf_tests;
#[cfg(test)]
pub(crate) mod tests;
mod tools;
#[cfg(test)]
mod trust_tests;

mod auggie;
mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod generic;
mod opencode;
mod pi;
mod qwen_code;
mod windsurf;

use std::path::Path;

pub(crate) use answer::{Answer, Reply};
pub(crate) use payload::BadPayload;
pub use profile::Profile;
pub(crate) use profile::{Hooks, Trust, Trusting};
pub(crate) use tools::SHELL_FOLDER;

use event::{AgentEvent, EventKind};
use payload::Fields;

/// Every client, in the order they are listed to people.
const TABLE: &[Client] = &[
    claude_code::CLIENT,
    opencode::CLIENT,
    codex::CLIENT,
    gemini::CLIENT,
    copilot::CLIENT,
    cursor::CLIENT,
    qwen_code::CLIENT,
    pi::CLIENT,
    auggie::CLIENT,
    windsurf::CLIENT,
];

/// One of the clients.
#[derive(Clone, Copy)]
pub struct Client(&'static Profile);

impl Client {
    /// Every client that hooks can be installed for, in the order they are listed to people.
    pub const ALL: &'static [Client] = TABLE;

    /// Every client.
    pub(crate) fn all() -> impl Iterator<Item = Client> {
        Client::ALL.iter().copied()
    }

    /// Every client that may call: also one that is not on the shelf, in our own words.
    pub(crate) fn callers() -> impl Iterator<Item = Client> {
        Client::all().chain([generic::CLIENT])
    }

    /// The name as `--client` takes it.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The file of a project that the hooks of one person go into, from its root.
    pub fn personal_file(self) -> &'static str {
        self.personal_file.unwrap_or(self.shared_file)
    }

    /// What a person has to do once so that it runs the hooks of a project.
    pub fn once(self) -> Option<&'static str> {
        let nowhere = Path::new("/");
        let places = places::Places {
            root: nowhere,
            home: nowhere,
            env: &|_| None,
        };
        let trust = places::trust(
            self,
            places::Scope::Personal,
            (nowhere, "{}"),
            places,
            &|_| None,
        );
        (trust != Trust::NotNeeded).then_some(self.how_to_trust)
    }

    /// The client with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Client::all().find(|client| client.name() == name)
    }
}

impl std::ops::Deref for Client {
    type Target = Profile;

    fn deref(&self) -> &Profile {
        self.0
    }
}

impl PartialEq for Client {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Client {}

impl std::fmt::Display for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads what a client sent. What can't be read is no allow.
pub(crate) fn parse(client: Client, bytes: &[u8]) -> Result<AgentEvent, BadPayload> {
    let fields = payload::read(bytes)?;
    let event = (client.parse)(Fields(&fields))?;
    Ok(AgentEvent {
        hooks_of: client,
        kind: of_subagent(event.kind, event.agent.is_some()),
        ..event
    })
}

/// Clients tell of a sub-agent's turns as of the main agent's, but no person stands behind them.
fn of_subagent(kind: EventKind, is_subagent: bool) -> EventKind {
    match kind {
        EventKind::SessionStart | EventKind::Prompt if is_subagent => EventKind::SubagentStart,
        EventKind::TurnEnd { .. } if is_subagent => EventKind::SubagentEnd,
        kind => kind,
    }
}

/// The answer in the client's own form; `to_person` is shown to the person where the client can.
pub(crate) fn reply(event: &AgentEvent, answer: &Answer, to_person: Option<&str>) -> Reply {
    (event.client.reply)(event, answer, to_person)
}

/// The "no" to a message before a tool call that could not be read.
pub(crate) fn refusal(client: Client, reason: &str) -> Reply {
    (client.refusal)(reason)
}

/// The client whose agent is at work where these variables are set.
pub(crate) fn at_work(is_set: impl Fn(&str) -> bool) -> Option<Client> {
    Client::all().find(|client| client.marks.iter().any(|name| is_set(name)))
}

/// Variables of agents that have no place on the shelf, or share them.
const OTHER_AGENTS: &[&str] = &[
    "AGENT",
    "AI_AGENT",
    "GOOSE_TERMINAL",
    "GOOSE_PROVIDER",
    "REPL_ID",
    "ANTIGRAVITY_AGENT",
    "KIRO_AGENT_PATH",
    "REPLIT_CLI",
];

/// Whether a variable tells that an agent is at work. Some test runners look for such and then leave
/// the names of passing tests out of what they print.
pub(crate) fn is_of_agent(variable: &str) -> bool {
    OTHER_AGENTS.contains(&variable)
        || Client::all().any(|client| {
            client.marks.contains(&variable)
                || client
                    .variables
                    .iter()
                    .any(|known| match known.strip_suffix('*') {
                        Some(beginning) => variable.starts_with(beginning),
                        None => variable == *known,
                    })
        })
}

/// The folders of a project that clients keep their settings in. Those of a service that is used for
/// more are named with the folder in them.
pub(crate) fn project_folders() -> impl Iterator<Item = &'static str> {
    let files = Client::all().flat_map(|client| client.protected);
    files.filter_map(|file| {
        let shared = file.starts_with(".github/");
        let mut ends = file.match_indices('/').map(|(at, _)| at);
        let end = ends.nth(usize::from(shared))?;
        file.get(..end).filter(|folder| folder.starts_with('.'))
    })
}

/// The client that a process runs, by the names of its program, or by the script that an interpreter
/// was started with. Of several programs the first runs agents, others may be editors.
pub(crate) fn running(names: &[String], scripts: &[&Path]) -> Option<Client> {
    let own = |client: &Client| client.programs.first().copied().unwrap_or_default();
    let runs = |client: &Client, script: &Path| {
        let name = |part: &std::ffi::OsStr| part.to_string_lossy().into_owned();
        let parts: Vec<String> = script.iter().map(name).collect();
        let packages = parts.iter().skip_while(|part| *part != "node_modules");
        parts.last().is_some_and(|last| last == own(client))
            || packages.skip(1).any(|part| {
                let cli = [own(client), "-"].concat();
                part == own(client) || part == client.name || part.starts_with(&cli)
            })
    };
    let mut with_program = Client::all().filter(|client| !client.programs.is_empty());
    with_program.find(|client| {
        names.iter().any(|name| name == own(client))
            || scripts.iter().any(|script| runs(client, script))
    })
}

/// The program of a client, if this is one.
pub(crate) fn program(name: &str) -> Option<&'static str> {
    let mut programs = Client::all().flat_map(|client| client.programs);
    programs.find(|known| **known == name).copied()
}

/// What starts one client or another without its hooks: options, and variables that lead it to other
/// settings.
pub(crate) fn ways_past_hooks() -> (Vec<&'static str>, Vec<&'static str>) {
    let options = Client::all().flat_map(|client| client.options_past_hooks);
    let variables = Client::all().flat_map(|client| client.variables_past_hooks);
    (options.copied().collect(), variables.copied().collect())
}

/// Files of a project that configure agents, from its root. A trailing `/` stands for all that is
/// below.
pub(crate) fn protected_files() -> impl Iterator<Item = &'static str> {
    Client::all().flat_map(|client| client.protected).copied()
}

/// Files below a person's home that configure agents. A trailing `/` stands for all that is below.
pub(crate) fn guarded_files() -> impl Iterator<Item = &'static str> {
    Client::all().flat_map(|client| client.guarded).copied()
}
