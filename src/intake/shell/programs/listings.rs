//! `ls`: names of files.

use std::rc::Rc;

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::stream::Stream;

pub(super) fn ls<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "ITw",
        long: &["ignore", "hide", "block-size"],
    };
    let options = Options::parse(call.arguments, &takes);
    if options.has(&["-l", "-R", "-i", "-s"]) {
        return Outcome::opaque();
    }
    let shows_hidden = options.has(&["-a", "-A", "--all", "--almost-all"]);
    let stays_outside = options.has(&["-d", "--directory"]);
    let shell = shell.clone();
    let operands = if options.operands.is_empty() {
        vec![".".to_owned()]
    } else {
        options.operands
    };
    Outcome::printing(Stream::Lazy(Rc::new(move || {
        let mut lines = String::new();
        for operand in &operands {
            let path = shell
                .known_path(operand)
                .filter(|path| !stays_outside && shell.is_directory(path));
            match path {
                Some(path) => {
                    for name in (shell.context().list)(&path) {
                        let name = name.to_string_lossy();
                        if shows_hidden || !name.starts_with('.') {
                            lines.push_str(&format!("{name}\n"));
                        }
                    }
                }
                None => lines.push_str(&format!("{operand}\n")),
            }
        }
        lines
    })))
}
