//! The calls that matter, by name.

use super::tokens::Language;

/// What a call does to its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallKind {
    /// Writes the first argument.
    Write,
    /// Writes the first argument if the second is a mode for writing.
    Open,
    /// Writes what it is called on: `Path('x').write_text(…)`.
    WriteReceiver,
    /// Opens what it is called on, with a mode as the first argument.
    OpenReceiver,
    /// Writes the first argument if one says `inplace`.
    WriteInPlace,

    /// Writes the second argument.
    Copy,

    /// Removes the first argument and writes the second.
    Move,
    /// Removes what it is called on and writes the first argument.
    MoveReceiver,
    /// Removes its arguments.
    Delete,
    /// Removes what it is called on.
    DeleteReceiver,
    /// Changes the mode of the arguments.
    Attributes,
    /// Writes files of any name into the directory that is the first argument.
    WriteInto,
    /// Writes files of any name into the directory that is the second argument.
    CopyTree,
    /// Changes the directory that later paths start from.
    ChangeDirectory,
    /// Runs a command.
    Run,
    /// Runs a command, unless what it is called on is no process: a database, a pattern.
    MayRun,
    /// Runs the command after the first argument.
    RunAfterMode,

    /// Runs code of the same language.
    Evaluate,
}

/// What a call must be made on to mean what its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum On {
    Anything,
    /// A path, as short names mean something else on other objects: `list.remove`.
    Path,
    /// A module, or nothing: a plain function.
    Module,
    /// One of the modules that write a file whole.
    Writer,
    /// A module that runs processes.
    Process,
    /// The module that reads files line by line.
    FileInput,
    /// Nothing.
    Nothing,
}

/// The calls that matter; of several with the same name the first that fits counts.
const CALLS: &[(CallKind, On, &str)] = &[
    (
        CallKind::WriteReceiver,
        On::Anything,
        "write_text write_bytes",
    ),
    (
        CallKind::WriteReceiver,
        On::Path,
        "touch symlink_to hardlink_to link_to append write",
    ),
    (CallKind::OpenReceiver, On::Path, "open"),
    (CallKind::MoveReceiver, On::Path, "rename replace"),
    (
        CallKind::DeleteReceiver,
        On::Path,
        "unlink rmdir delete rmtree",
    ),
    (CallKind::WriteInPlace, On::FileInput, "input FileInput"),
    (CallKind::Open, On::Module, "open openSync fopen new"),
    (
        CallKind::Write,
        On::Anything,
        "writeFile writeFileSync appendFile appendFileSync createWriteStream outputFile outputFileSync writeTextFile \
         writeTextFileSync write_file make_archive truncateSync ensureFile ensureFileSync createSync writeJson \
         writeJsonSync writeJSONSync savetxt to_csv",
    ),
    (CallKind::Write, On::Writer, "write"),
    (
        CallKind::Write,
        On::Module,
        "touch truncate create output mkfifo",
    ),
    (CallKind::CopyTree, On::Module, "copytree cpSync"),
    (CallKind::CopyTree, On::Anything, "copy_tree unpack_archive"),
    (CallKind::Copy, On::Anything, "copy_file urlretrieve"),
    (
        CallKind::Copy,
        On::Module,
        "copy copyfile copy2 cp copyFile copyFileSync symlink symlinkSync link linkSync",
    ),
    (CallKind::WriteInto, On::Anything, "extractall"),
    (CallKind::ChangeDirectory, On::Module, "chdir"),
    (CallKind::ChangeDirectory, On::Process, "chdir"),
    (
        CallKind::Move,
        On::Module,
        "rename renames replace move mv renameSync moveSync",
    ),
    (
        CallKind::Delete,
        On::Anything,
        "unlink unlinkSync rmSync rmdirSync removeSync rmtree removedirs remove_file remove_dir remove_tree rimraf \
         emptyDirSync send2trash",
    ),
    (CallKind::Delete, On::Module, "remove rm rmdir delete"),
    (
        CallKind::Attributes,
        On::Module,
        "chmod chown chmodSync lchmod",
    ),
    (
        CallKind::Attributes,
        On::Path,
        "chmod chown chmodSync lchmod",
    ),
    (
        CallKind::Run,
        On::Process,
        "system popen run call exec spawn execFile execute",
    ),
    (CallKind::MayRun, On::Nothing, "sh shell"),
    (
        CallKind::MayRun,
        On::Anything,
        "exec run call spawn execFile",
    ),
    (
        CallKind::Run,
        On::Anything,
        "system popen check_call check_output Popen getoutput getstatusoutput execSync spawnSync execFileSync execa \
         execaSync execv execvp execl execlp execle execve execvpe posix_spawn posix_spawnp Command doShellScript \
         create_subprocess_shell create_subprocess_exec",
    ),
    (
        CallKind::RunAfterMode,
        On::Anything,
        "spawnl spawnlp spawnle spawnlpe spawnv spawnvp spawnve spawnvpe",
    ),
];
const MODULES: &str = "os io shutil fs fsp fse promises codecs gzip Deno Bun Sys pathlib std builtins __builtins__ aiofiles \
     file subprocess f";
const PROCESSES: &str = "child_process cp sp process pty shell commands";

/// What `receiver.name(…)` does. `receiver` is the name before the dot, if there is one.
pub(super) fn kind(name: &str, receiver: Receiver<'_>, language: Language) -> Option<CallKind> {
    match name {
        "exec" | "eval" | "compile" if language == Language::Python => {
            return Some(CallKind::Evaluate);
        }
        "eval" | "Function" | "runInThisContext" => return Some(CallKind::Evaluate),
        _ => {}
    }
    let is_it = |names: &str| names.split_whitespace().any(|known| known == name);
    let found = CALLS
        .iter()
        .find(|(_, on, names)| receiver.fits(*on) && is_it(names));
    found.map(|(kind, _, _)| *kind)
}

/// What a method is called on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Receiver<'a> {
    /// A plain function.
    Nothing,
    /// A name, such as a module or a variable.
    Module(&'a str),
    /// The value of `Path(…)`, or a variable that holds a path.
    Path,
    /// The value of `require(…)` or `__import__(…)`.
    Import,
    /// Something else.
    Value,
}

impl Receiver<'_> {
    fn fits(self, on: On) -> bool {
        let is_one_of = |names: &str| match self {
            Receiver::Module(name) => names.split_whitespace().any(|known| known == name),
            _ => false,
        };
        let is_module = matches!(self, Receiver::Nothing | Receiver::Import) || is_one_of(MODULES);
        match on {
            On::Anything => true,
            On::Path => self == Receiver::Path,
            On::Module => is_module,
            On::Writer => is_one_of("Bun Deno fs"),
            On::Process => is_module || is_one_of(PROCESSES),
            On::FileInput => is_one_of("fileinput"),
            On::Nothing => self == Receiver::Nothing,
        }
    }
}
