//! What there is to know of a client.

use std::path::Path;

use serde_json::{Value, json};

use super::answer::{Answer, Reply};
use super::event::AgentEvent;
use super::payload::{BadPayload, Fields};
use super::places::{Places, Scope, UserFolder};
use super::roles::Roles;
use super::settings::dialect::Foreign;
use super::{claude_code, hook_shape};

/// All that is known of one client.
pub struct Profile {
    /// As `--client` takes it, and as it is called in records.
    pub name: &'static str,
    /// As people call it.
    pub title: &'static str,
    /// The version of the program that the tests' story was gone through with; none where only its
    /// documentation or its code was read.
    pub tried: Option<&'static str>,

    /// Reads a message.
    pub(super) parse: fn(Fields<'_>) -> Result<AgentEvent, BadPayload>,
    /// Answers one; the last is for the person.
    pub(super) reply: fn(&AgentEvent, &Answer, Option<&str>) -> Reply,
    /// Says "no" to a message before a tool call that could not be read.
    pub(super) refusal: fn(&str) -> Reply,
    /// The message before a call that writes a file of a project: its root, the file, the content.
    pub(crate) write_call: fn(&Path, &str, &str) -> Value,
    /// Whether messages tell one sub-agent from another and from the main agent.
    pub(crate) tells_agents_apart: bool,

    /// Its programs; the first is the one that runs agents.
    pub programs: &'static [&'static str],
    /// Files and folders that tell that it is used in a project.
    pub(crate) signs: &'static [&'static str],
    /// Variables that only the shells of its agents have.
    pub(crate) marks: &'static [&'static str],
    /// More variables that it sets; a `*` stands for any ending.
    pub(crate) variables: &'static [&'static str],

    /// The file of a project that the hooks of one person go into, from its root, where it is another
    /// than that for all who clone the repository.
    pub(super) personal_file: Option<&'static str>,
    /// The one for all.
    pub shared_file: &'static str,
    /// The folder of one person's files.
    pub(super) user_folder: UserFolder,
    /// The file in it that the hooks go into.
    pub user_file: &'static str,
    /// What goes into these files.
    pub(crate) hooks: Hooks,
    /// The roles of a spec cycle, if it has sub-agents of that kind.
    pub(super) roles: Option<Roles>,

    /// Settings that stop it from calling hooks, and the value of each that does.
    pub(super) switches: &'static [(&'static str, bool)],
    /// What its reader of JSON does not take, as the program itself was seen to do.
    pub(super) not_read: &'static [Foreign],
    /// Whether it trusts the hooks.
    pub(super) trust: fn(&Trusting<'_>) -> Trust,
    /// What a person does so that it runs them.
    pub(crate) how_to_trust: &'static str,
    /// Options that start it without its hooks.
    pub(crate) options_past_hooks: &'static [&'static str],
    /// Variables that lead it to other settings.
    pub(crate) variables_past_hooks: &'static [&'static str],
    /// Files of a project that configure it. A trailing `/` stands for all that is below.
    pub(crate) protected: &'static [&'static str],
    /// Files below a person's home that do.
    pub(crate) guarded: &'static [&'static str],
}

impl Profile {
    /// A client that speaks and answers as most do, and of which no more is known.
    pub(super) const PLAIN: Profile = Profile {
        name: "",
        title: "",
        tried: None,
        parse: |_| Err(BadPayload::Missing("hook_event_name".into())),
        reply: claude_code::reply,
        refusal: Reply::refusal,
        write_call: |root, path, content| {
            let input = json!({"file_path": path, "content": content});
            hook_shape::write_call(root, "PreToolUse", "Write", &input)
        },
        tells_agents_apart: false,
        programs: &[],
        signs: &[],
        marks: &[],
        variables: &[],
        personal_file: None,
        shared_file: "",
        user_folder: UserFolder {
            variable: None,
            below: "",
            otherwise: "",
        },
        user_file: "",
        hooks: Hooks::Plugin(""),
        roles: None,
        switches: &[],
        not_read: &[],
        trust: |_| Trust::NotNeeded,
        how_to_trust: "trust the hooks in the client",
        options_past_hooks: &[],
        variables_past_hooks: &[],
        protected: &[],
        guarded: &[],
    };
}

/// What goes into the file of a client's hooks.
pub(crate) enum Hooks {
    /// Entries of ours among those of others in JSON settings.
    Entries(Entries),
    /// A file of ours as a whole, with this text.
    Plugin(&'static str),
}

/// Our entries in JSON settings.
pub(crate) struct Entries {
    /// The settings with nothing but them.
    pub(super) template: &'static str,
    /// A second as the client counts.
    pub(super) second: u64,
    /// The project's folder in a shell: the agent may have left it, and must not leave the rules with
    /// it.
    pub(super) root: &'static str,
    /// How the gate says "no" in a shell where the program is missing, for a client that needs more
    /// than an exit status; `@MISSING@` is the reason.
    pub(super) missing: Option<&'static str>,
}

impl Entries {
    /// As most clients have them.
    pub(super) const fn of(template: &'static str) -> Entries {
        Entries {
            template,
            second: 1,
            root: ".",
            missing: None,
        }
    }
}

/// Whether a client trusts the hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// It runs them as they are.
    NotNeeded,
    /// The person has given it.
    Given,
    /// The person has not given it: hooks are skipped, mostly without a word.
    Missing,
    /// It can't be told from here.
    Unknown,
}

/// What there is to look at to tell whether a client trusts the hooks. It is looked at, never done
/// for the person.
pub(crate) struct Trusting<'a> {
    pub(crate) scope: Scope,
    /// The file with the hooks.
    pub(crate) file: &'a Path,
    /// What is in it.
    pub(crate) text: &'a str,
    pub(crate) places: Places<'a>,
    /// Gives a file of the person's folder, if it is there.
    pub(crate) of_person: &'a dyn Fn(&str) -> Option<String>,
}

impl Trusting<'_> {
    /// A file of the person's folder as JSON.
    pub(super) fn json_of_person(&self, name: &str) -> Option<Value> {
        super::settings::json_text::to_value(&(self.of_person)(name)?).ok()
    }
}
