//! Pi: our extension asks in the words of `docs/any-client.md`, with the tools as Pi calls them.

use super::event::AgentEvent;
use super::payload::{BadPayload, Fields};
use super::places::UserFolder;
use super::profile::{Hooks, Profile};
use super::tools::{Kind, Vocabulary};
use super::{Client, generic};

const PROFILE: Profile = Profile {
    name: "pi",
    title: "Pi",
    tried: Some("0.73.1"),
    parse,
    programs: &["pi"],
    signs: &[".pi"],
    marks: &["PI_CODING_AGENT"],
    shared_file: ".pi/extensions/git-tcr.ts",
    user_folder: UserFolder::named("PI_CODING_AGENT_DIR", ".pi/agent"),
    user_file: "extensions/git-tcr.ts",
    hooks: Hooks::Plugin(include_str!("../../hooks-templates/pi.ts")),
    options_past_hooks: &["--no-extensions", "-ne"],
    variables_past_hooks: &["PI_CODING_AGENT_DIR"],
    protected: &[".pi/extensions/", ".pi/settings.json"],
    guarded: &[".pi/agent/extensions/", ".pi/agent/settings.json"],
    ..generic::PROFILE
};
pub(super) const CLIENT: Client = Client(&PROFILE);

const TOOLS: Vocabulary = &[
    (Kind::Write, "write"),
    (Kind::MultiEdit, "edit"),
    (Kind::Shell, "bash"),
    (Kind::Reading, "find grep ls read"),
];

fn parse(fields: Fields<'_>) -> Result<AgentEvent, BadPayload> {
    let mut message = fields.0.clone();
    // A path may have an `@` before it, which Pi leaves out.
    let path = message
        .get_mut("input")
        .and_then(|input| input.get_mut("path"));
    if let Some(path) = path
        && let Some(named) = path.as_str().and_then(|path| path.strip_prefix('@'))
    {
        *path = named.into();
    }
    generic::read(CLIENT, Fields(&message), TOOLS)
}
