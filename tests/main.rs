//! The behaviour of the program, one file per behaviour, against real git in temporary
//! repositories.

mod support;

mod crash;
mod cycle;
mod projects;
