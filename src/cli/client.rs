//! The arguments of what clients' hooks call, and the clients as typed.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::clients::Client;

/// `gate`, `loop`, `session`
#[derive(Debug, Args)]
pub struct HookArgs {
    /// The client that calls.
    #[arg(long, value_parser = callers())]
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

fn callers() -> impl TypedValueParser<Value = Client> {
    let names = Client::callers().filter_map(|client| client.to_possible_value());
    PossibleValuesParser::new(names).try_map(|name| {
        let found = Client::callers().find(|client| client.name() == name);
        found.ok_or("no such client")
    })
}
