//! What the program did and found, as values: `message` makes words of them, and JSON is made from them.

pub(crate) mod activated;
pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod gate;
pub(crate) mod install;
pub(crate) mod proof;
pub(crate) mod recover;
pub(crate) mod share;
pub(crate) mod smells;
pub(crate) mod spec;
pub(crate) mod spike;
pub(crate) mod squash;
pub(crate) mod step;
pub(crate) mod verify;
