//! What a coding agent is about to do, did, or went through, whichever client it runs in.

use std::path::PathBuf;

use serde_json::Value;

use super::Client;

/// The session of calls that only test whether hooks work; none of them is noted.
pub(crate) const SELF_TEST: &str = "git-tcr-doctor";

/// One call of a client's hook.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AgentEvent {
    /// The client at work.
    pub client: Client,
    /// The client whose hook entry called us: another one where a client also runs the hook files
    /// of Claude Code.
    pub hooks_of: Client,
    /// The session of the main agent.
    pub session: Option<String>,
    /// The sub-agent, if it is not the main agent that acts.
    pub agent: Option<String>,
    /// What kind of sub-agent it is.
    pub agent_type: Option<String>,
    /// The folder that relative paths and commands start from.
    pub cwd: Option<PathBuf>,
    /// The id of the tool call.
    pub call: Option<String>,
    /// What happens.
    pub kind: EventKind,
}

impl AgentEvent {
    /// Who acts: the client, its session, and the sub-agent if it is one.
    pub(crate) fn identity(&self) -> String {
        let mut identity = self.client.name().to_owned();
        if let Some(session) = &self.session {
            identity.push(':');
            identity.push_str(session);
        }
        if let Some(agent) = &self.agent {
            identity.push('/');
            identity.push_str(agent);
        }
        identity
    }
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum EventKind {
    /// A tool is about to be called.
    BeforeTool(ToolCall),
    /// A tool was called. An input that can't be read is an unknown call here: the loop looks at
    /// the tree, not at the call.
    AfterTool(ToolCall, ToolOutcome),
    /// A session begins or is taken up again.
    SessionStart,
    /// A person sends a prompt.
    Prompt,
    /// The main agent is about to end its turn.
    TurnEnd {
        /// The turn goes on because a hook has already said so once.
        again: bool,
    },
    /// A sub-agent begins or gets its prompt: no person's doing.
    SubagentStart,
    /// A sub-agent ends.
    SubagentEnd,
    /// The session ends.
    SessionEnd,
    /// An event that we have no use for. Before a tool call it is no allow.
    Other(String),
}

/// What a tool call asks for. Paths are as the client gave them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ToolCall {
    /// A file gets this content.
    Write {
        /// The file.
        path: String,
        /// Its whole new content.
        content: String,
    },
    /// Text in a file is replaced, one edit after the other.
    Edit {
        /// The file.
        path: String,
        /// The edits in their order.
        edits: Vec<Edit>,
    },
    /// A cell of a notebook is replaced, inserted or deleted.
    Notebook {
        /// The notebook.
        path: String,
        /// The cell's new source.
        source: String,
    },
    /// A patch in the envelope of coding agents, or a unified diff.
    Patch {
        /// The patch.
        text: String,
    },
    /// A shell command, or text typed into a running shell.
    Shell {
        /// The command.
        command: String,
        /// The folder it runs in, if the call names one.
        cwd: Option<String>,
    },
    /// A file is deleted.
    Delete {
        /// The file.
        path: String,
    },
    /// A tool that is known to leave the project's files alone, or to start sub-agents whose own
    /// calls are events of their own.
    Reading {
        /// The tool.
        name: String,
    },
    /// Any other tool.
    Unknown {
        /// The tool.
        name: String,
        /// Its input.
        input: Value,
    },
}

/// A replacement of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// The text that goes; empty where the file is to be created.
    pub old: String,
    /// The text that comes.
    pub new: String,
    /// Every occurrence, not just the one.
    pub all: bool,
}

/// How a tool call ended, as far as the client tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ToolOutcome {
    /// It ran; a shell command may have failed all the same.
    Ran,
    /// It failed, with this message.
    Failed(String),
}
