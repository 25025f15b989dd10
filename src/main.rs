//! The binary: parse, call the library, return the exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(git_tcr::main(std::env::args_os()).code())
}
