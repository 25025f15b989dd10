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
    /// Writes the argument that is passed as `file`.
    WriteNamed,
    /// Writes the second argument.
    Copy,
    /// Writes the argument that is passed as `file`, else the second.
    CopyOrNamed,
    /// Writes the first argument if it is passed as the place to write to.
    WriteTo,
    /// Writes the first argument if flags for writing follow.
    OpenWithFlags,
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
    /// Runs the first argument with those of the calls that follow.
    RunBuilt,
    /// Runs code of the same language.
    Evaluate,
}

/// What `receiver.name(…)` does. `receiver` is the name before the dot, if there is one.
pub(super) fn kind(name: &str, receiver: Receiver<'_>, language: Language) -> Option<CallKind> {
    use CallKind::{
        Attributes, ChangeDirectory, Copy, CopyOrNamed, CopyTree, Delete, DeleteReceiver, Evaluate,
        MayRun, Move, MoveReceiver, Open, OpenReceiver, OpenWithFlags, Run, RunAfterMode, RunBuilt,
        Write, WriteInPlace, WriteInto, WriteNamed, WriteReceiver, WriteTo,
    };
    let on_path = receiver == Receiver::Path;
    // Short names mean something else on other objects: `list.remove`, `text.replace`.
    let on_module = receiver.is_module();
    Some(match name {
        "write_text" | "write_bytes" | "writeText" | "appendText" | "writeBytes"
        | "appendBytes" | "printWriter" | "bufferedWriter" => WriteReceiver,
        "deleteRecursively" => DeleteReceiver,
        "touch" | "symlink_to" | "hardlink_to" | "link_to" if on_path => WriteReceiver,
        "open" if on_path => OpenReceiver,
        "rename" | "replace" if on_path => MoveReceiver,
        "unlink" | "rmdir" | "delete" | "rmtree" | "deleteOnExit" if on_path => DeleteReceiver,
        "createNewFile" | "setText" | "append" | "write" if on_path => WriteReceiver,
        "input" | "FileInput" if receiver == Receiver::Module("fileinput") => WriteInPlace,
        // Rust: `Command::new("rm").arg("x")`.
        "new" if receiver == Receiver::Module("Command") => RunBuilt,
        // R writes to the second argument or to `file`, Julia to the first.
        // Swift names the file.
        "write" if language == Language::JavaScript && receiver == Receiver::Value => WriteTo,
        // R names the file.
        "cat" | "sink" | "saveRDS" | "dump" | "csv" | "table" => WriteNamed,
        "writeLines" | "writefile" => Copy,
        "open" | "openSync" | "fopen" | "sysopen" | "new" if on_module => Open,
        // Raku: a function, or a method of a path.
        "spurt" if receiver == Receiver::Nothing => Write,
        "spurt" => WriteReceiver,
        // The libraries of Java, Go and Swift.
        "writeString" | "newBufferedWriter" | "newOutputStream" | "FileWriter" | "PrintWriter"
        | "FileOutputStream" | "createFile" | "WriteFile" => Write,
        "Create" if receiver == Receiver::Module("os") => Write,
        "OpenFile" if receiver == Receiver::Module("os") => OpenWithFlags,
        "Remove" | "RemoveAll" if receiver == Receiver::Module("os") => Delete,
        "Rename" if receiver == Receiver::Module("os") => Move,
        "deleteIfExists" | "removeItem" | "rmFile" | "removeFile" => Delete,
        "copyItem" => Copy,
        "moveItem" => Move,
        "writeFile" | "writeFileSync" | "appendFile" | "appendFileSync" | "createWriteStream"
        | "outputFile" | "outputFileSync" | "writeTextFile" | "writeTextFileSync"
        | "file_put_contents" | "write_file" | "make_archive" | "binwrite" | "truncateSync"
        | "ensureFile" | "ensureFileSync" | "createSync" | "writeJson" | "writeJsonSync"
        | "writeJSONSync" | "savetxt" | "to_csv" | "WriteAllText" | "WriteAllLines"
        | "WriteAllBytes" | "AppendAllText" => Write,
        "write"
            if matches!(
                receiver,
                Receiver::Module("File" | "Files" | "IO" | "Bun" | "Deno" | "Pathname" | "fs")
            ) =>
        {
            Write
        }
        "touch" | "truncate" | "create" | "output" | "mkfifo" if on_module => Write,
        "copytree" | "cp_r" | "cpSync" if on_module => CopyTree,
        "copy_tree" => CopyTree,
        "copy_file" => Copy,
        "copy" | "copyfile" | "copy2" | "cp" | "copyFile" | "copyFileSync" | "install"
        | "symlink" | "symlinkSync" | "link" | "linkSync" | "ln" | "ln_s" | "ln_sf"
            if on_module =>
        {
            Copy
        }
        "unpack_archive" => CopyTree,
        "extractall" | "extract_all" => WriteInto,
        "urlretrieve" => Copy,
        "chdir" if on_module || receiver == Receiver::Module("process") => ChangeDirectory,
        "rename" | "renames" | "replace" | "move" | "mv" | "renameSync" | "moveSync"
            if on_module =>
        {
            Move
        }
        "unlink" | "unlinkSync" | "rmSync" | "rmdirSync" | "removeSync" | "rmtree"
        | "removedirs" | "rm_f" | "rm_rf" | "rm_r" | "remove_file" | "remove_dir"
        | "remove_entry" | "remove_tree" | "rimraf" | "emptyDirSync" | "send2trash" => Delete,
        // .NET: `[IO.File]::Delete(…)`.
        "Delete" if receiver == Receiver::Value => Delete,
        "Move" if receiver == Receiver::Value => Move,
        "Copy" if receiver == Receiver::Value => Copy,
        "remove" | "rm" | "rmdir" | "delete" | "removeRecursive" if on_module => Delete,
        "chmod" | "chown" | "chmodSync" | "lchmod" if on_module || on_path => Attributes,
        "exec" | "eval" | "compile" if language == Language::Python => Evaluate,
        "eval" | "Function" | "runInThisContext" | "instance_eval" => Evaluate,
        "execute" if !on_module => return None,
        "cmd" | "shell" if matches!(receiver, Receiver::Module("System" | "os")) => Run,
        "cmd" | "sh" | "shell" if receiver == Receiver::Nothing => MayRun,
        "exec" | "run" | "call" | "spawn" | "execFile" if !receiver.is_process() => MayRun,
        "system"
        | "popen"
        | "run"
        | "call"
        | "check_call"
        | "check_output"
        | "Popen"
        | "getoutput"
        | "getstatusoutput"
        | "exec"
        | "execSync"
        | "spawn"
        | "spawnSync"
        | "execFile"
        | "execFileSync"
        | "execa"
        | "execaSync"
        | "shell_exec"
        | "passthru"
        | "proc_open"
        | "execute"
        | "execv"
        | "execvp"
        | "execl"
        | "execlp"
        | "execle"
        | "execve"
        | "execvpe"
        | "posix_spawn"
        | "posix_spawnp"
        | "capture2"
        | "capture2e"
        | "capture3"
        | "Command"
        | "doShellScript"
        | "create_subprocess_shell"
        | "create_subprocess_exec" => Run,
        "spawnl" | "spawnlp" | "spawnle" | "spawnlpe" | "spawnv" | "spawnvp" | "spawnve"
        | "spawnvpe" => RunAfterMode,
        _ => return None,
    })
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
    /// Whether what is called on it surely runs a process.
    fn is_process(self) -> bool {
        let is_known = |name: &str| {
            matches!(
                name,
                "child_process" | "cp" | "sp" | "Open3" | "Process" | "pty" | "shell" | "commands"
            )
        };
        self.is_module() || matches!(self, Receiver::Module(name) if is_known(name))
    }

    fn is_module(self) -> bool {
        match self {
            Receiver::Nothing | Receiver::Import => true,
            Receiver::Module(name) => matches!(
                name,
                "os" | "io"
                    | "shutil"
                    | "fs"
                    | "fsp"
                    | "fse"
                    | "promises"
                    | "codecs"
                    | "gzip"
                    | "File"
                    | "Files"
                    | "IO"
                    | "FileUtils"
                    | "Dir"
                    | "Deno"
                    | "Bun"
                    | "Kernel"
                    | "Sys"
                    | "Pathname"
                    | "pathlib"
                    | "std"
                    | "builtins"
                    | "__builtins__"
                    | "Copy"
                    | "aiofiles"
                    | "file"
                    | "subprocess"
                    | "f"
            ),
            Receiver::Path | Receiver::Value => false,
        }
    }
}
