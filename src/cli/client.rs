//! The clients, and the arguments of what their hooks call.

use clap::{Args, ValueEnum};

use crate::event::Client;

/// `gate`, `loop`, `session`
#[derive(Debug, Args)]
pub struct HookArgs {
    /// The client that calls.
    #[arg(long, value_enum)]
    pub client: ClientName,
}

/// The clients as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClientName {
    /// Claude Code.
    ClaudeCode,
    /// OpenCode.
    #[value(name = "opencode")]
    OpenCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Copilot CLI.
    Copilot,
    /// Cursor.
    Cursor,
}

impl From<ClientName> for Client {
    fn from(name: ClientName) -> Client {
        match name {
            ClientName::ClaudeCode => Client::ClaudeCode,
            ClientName::OpenCode => Client::OpenCode,
            ClientName::Codex => Client::Codex,
            ClientName::Gemini => Client::Gemini,
            ClientName::Copilot => Client::Copilot,
            ClientName::Cursor => Client::Cursor,
        }
    }
}
