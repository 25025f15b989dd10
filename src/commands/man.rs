//! `git tcr man [--install]`

use clap::Args;
use std::path::{Path, PathBuf};

use super::print;
use crate::error::{Error, ExitStatus, Result};
use crate::message;
use crate::this_process;

/// `man`
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Put the pages where `man` (and so `git tcr --help`) finds them.
    #[arg(long)]
    pub(crate) install: bool,
    /// The `man` folder to put them in, instead of the one that belongs to this program.
    #[arg(long, value_name = "DIR", requires = "install")]
    pub(crate) dir: Option<PathBuf>,
}

pub(crate) fn man(args: &ManArgs, grammar: clap::Command) -> Result<ExitStatus> {
    if args.install {
        return install(args.dir.as_deref(), grammar);
    }
    let page = page(&root(grammar))?;
    print::text(&String::from_utf8_lossy(&page))?;
    Ok(ExitStatus::Done)
}

fn root(grammar: clap::Command) -> clap::Command {
    // Pages are named after the program: `git-tcr`, `git-tcr-run`.
    let mut root = grammar.disable_help_subcommand(true);
    root.build();
    root
}

fn page(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        // Whose page it is, on all of them.
        .source(concat!("git-tcr ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .map_err(|error| Error::io("write", Path::new("the manual page"), error))?;
    Ok(page)
}

fn install(dir: Option<&Path>, grammar: clap::Command) -> Result<ExitStatus> {
    let (written, section) = put(dir, grammar)?;
    print::message(&message::man::installed(written, &section))?;
    Ok(ExitStatus::Done)
}

/// Whether `man` finds the page that `git tcr --help` shows.
pub(crate) fn is_there() -> bool {
    let page = |folder: PathBuf| folder.join("man1").join("git-tcr.1").is_file();
    let system = ["/usr/share/man", "/usr/local/share/man"].map(PathBuf::from);
    let own = beside_program().ok().flatten().into_iter().chain(of_user());
    own.chain(system).any(page)
}

/// Writes all pages, and says how many and where.
pub(crate) fn put(dir: Option<&Path>, grammar: clap::Command) -> Result<(usize, PathBuf)> {
    let folder = match dir {
        Some(dir) => dir.to_owned(),
        None => manual_folder()?,
    };
    let section = folder.join("man1");
    std::fs::create_dir_all(&section).map_err(|error| Error::io("create", &section, error))?;
    let root = root(grammar);
    let mut written = 0;
    let mut write = |name: &str, command: &clap::Command| -> Result<()> {
        let path = section.join(format!("{name}.1"));
        std::fs::write(&path, page(command)?).map_err(|error| Error::io("write", &path, error))?;
        written += 1;
        Ok(())
    };
    write("git-tcr", &root)?;
    for command in root
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        let name = format!("git-tcr-{}", command.get_name());
        write(&name, command)?;
    }
    Ok((written, section))
}

fn manual_folder() -> Result<PathBuf> {
    if let Some(folder) = beside_program()?
        && std::fs::create_dir_all(folder.join("man1")).is_ok()
    {
        return Ok(folder);
    }
    of_user().ok_or_else(message::man::no_folder)
}

/// `man` looks in `share/man` beside a `bin` on the PATH.
fn beside_program() -> Result<Option<PathBuf>> {
    let program = this_process::program()?;
    let bin = program.parent().filter(|folder| folder.ends_with("bin"));
    let prefix = bin.and_then(Path::parent);
    Ok(prefix.map(|prefix| prefix.join("share").join("man")))
}

fn of_user() -> Option<PathBuf> {
    crate::env_vars::data_home().map(|data| data.join("man"))
}
