//! The arguments of what clients' hooks call, and the clients as typed.

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::clients::Client;

/// `gate`, `loop`, `session`
#[derive(Debug, Args)]
pub struct HookArgs {
    /// The client that calls.
    #[arg(long, value_enum)]
    pub client: Client,
}

impl ValueEnum for Client {
    fn value_variants<'a>() -> &'a [Client] {
        Client::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.title))
    }
}
