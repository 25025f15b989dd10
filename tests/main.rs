//! The behaviour of the program, one file per behaviour, against real git in temporary
//! repositories.

#![allow(
    unreachable_pub,
    clippy::panic,
    clippy::type_complexity,
    reason = "tests of one binary: shared helpers are `pub`, a failed expectation panics, tables are tables"
)]

mod support;

mod agent_loop;
mod agents;
mod any_order;
mod audit;
mod bad_input;
mod base_branch_moves;
mod check;
mod ci_snippets;
mod commits_by_hand;
mod crash;
mod cycle;
mod declared;
mod demo;
mod docs;
mod encodings;
mod environment;
mod file_kinds;
mod gate;
mod gate_detect;
mod git_hooks;
mod git_hooks_beside_others;
mod git_hooks_disarmed;
mod guard;
mod head_elsewhere;
mod hints;
mod hook_managers;
mod housekeeping;
mod in_the_way;
mod index;
mod ingest;
mod install_again;
mod install_hooks;
mod lab;
mod less_than_before;
mod links_as_files;
mod lint;
mod locks;
mod log;
#[cfg(feature = "mcp")]
mod mcp;
mod modes;
mod mounts;
mod named_report;
mod nested_repositories;
mod output;
mod packaging;
mod partial_clone;
mod private_files;
mod projects;
mod recover;
mod report;
mod runners;
mod same_second;
mod saved_while_tests_run;
mod share;
mod smells;
mod snapshot_is_what_git_would_add;
mod spec_cycle;
mod spike;
mod squash;
mod squash_loses_nothing;
mod staged_content_is_kept;
mod stands_aside;
mod stats;
mod statusline;
mod tests_that_write;
mod two_at_once;
mod verify;
mod watch;
mod ways_out;
