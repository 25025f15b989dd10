//! The behaviour of the program, one file per behaviour, against real git in temporary
//! repositories.

mod support;

mod bad_input;
mod base_branch_moves;
mod commits_by_hand;
mod cycle;
mod declared;
mod environment;
mod file_kinds;
mod head_elsewhere;
mod modes;
mod nested_repositories;
mod recover;
mod snapshot_is_what_git_would_add;
mod staged_content_is_kept;
mod stands_aside;
mod tests_that_write;
