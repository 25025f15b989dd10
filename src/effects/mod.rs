//! Actions on the world.

pub mod test_run;
