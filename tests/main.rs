//! The behaviour of the program, one file per behaviour, against real git in temporary
//! repositories.

mod support;

mod check;
mod cycle;
mod ingest;
mod projects;
mod runners;
