//! What a client is answered, in no client's form and in any.

use serde_json::Value;

/// What we answer a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing stands against it, and there is nothing to say. The client's own permissions apply.
    Allow,
    /// The tool must not be called, for this reason.
    Deny(String),
    /// The model is told this: after a tool call, at the start of a session or with a prompt.
    Tell(String),
    /// The turn is not over yet, for this reason.
    GoOn(String),
}

/// What the process prints and how it ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reply {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// The exit status.
    pub exit: u8,
}

impl Reply {
    /// An object, or nothing where there is nothing to say.
    pub(super) fn json(out: &Value) -> Self {
        let is_empty = out.as_object().is_some_and(|fields| fields.is_empty());
        Reply {
            stdout: if is_empty {
                String::new()
            } else {
                format!("{out}\n")
            },
            ..Reply::default()
        }
    }

    /// An object, for clients that want one in any case.
    pub(super) fn any_json(out: &Value) -> Self {
        Reply {
            stdout: format!("{out}\n"),
            ..Reply::default()
        }
    }

    /// The exit status that every client but one takes for a "no", with the reason.
    pub(super) fn refusal(reason: &str) -> Self {
        Reply {
            stdout: String::new(),
            stderr: format!("{}\n", reason.trim_end()),
            exit: 2,
        }
    }
}
