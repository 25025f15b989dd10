//! The state of the imagined shell.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use brush_parser::ast::{self, Program};

use super::here_documents::HereDocument;
use super::stream::Stream;
use super::{Analysis, ShellContext, ShellEffect, limits, text};
use crate::rules::shell_gate::Evasion;

/// Commands looked at before the analysis gives up; loops and recursion are cut by it.
const MAX_STEPS: u32 = 6_000;
/// Times what follows a branch is looked at again with other values, and up to which step.
const MAX_FORKS: u32 = 12;
const MAX_STEPS_TO_FORK: u32 = 300;
/// How deep `sh -c`, substitutions, functions and wrappers may nest.
const MAX_DEPTH: u32 = 24;
/// Directory entries looked at in all.
const MAX_ENTRIES: usize = 20_000;

/// What one analysis shares between the shell and its subshells.
pub(super) struct Session<'c> {
    pub(super) context: &'c ShellContext<'c>,
    effects: RefCell<Vec<ShellEffect>>,
    failure: RefCell<Option<String>>,
    steps: Cell<u32>,
    forks: Cell<u32>,
    depth: Cell<u32>,
    entries: Cell<usize>,
    text_made: Cell<usize>,
    /// Links the command itself makes, by the path of the link.
    pub(super) links: RefCell<HashMap<PathBuf, PathBuf>>,
    /// What the command itself writes, by the path of the file.
    pub(super) files: RefCell<HashMap<PathBuf, Stream<'c>>>,
    /// Files the command itself copies: what each is a copy of.
    pub(super) copies: RefCell<HashMap<PathBuf, PathBuf>>,
    /// Directories the command itself makes.
    pub(super) made: RefCell<HashSet<PathBuf>>,
    /// Here-documents, by the number in their mark.
    pub(super) documents: RefCell<Vec<HereDocument>>,
    /// Process substitutions, by the name the command sees.
    pub(super) pipes: RefCell<HashMap<String, Stream<'c>>>,
}

/// A variable: one value, or the elements of an array by their keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) elements: Vec<(String, String)>,
    pub(super) exported: bool,
    pub(super) is_reference: bool,
}

/// A shell, or a subshell: what may differ between the two.
#[derive(Clone)]
pub(super) struct Shell<'c> {
    pub(super) session: Rc<Session<'c>>,
    pub(super) variables: Variables,
    pub(super) functions: HashMap<String, Rc<ast::FunctionBody>>,
    pub(super) aliases: HashMap<String, String>,
    pub(super) positional: Vec<String>,
    pub(super) cwd: String,
    pub(super) previous: String,
    pub(super) directories: Vec<String>,
    pub(super) stdin: Rc<RefCell<Stream<'c>>>,
    /// A failing command ends what follows, so a `cd` before it worked.
    pub(super) stops_on_failure: bool,
    pub(super) globs_match_dots: bool,
    /// Commands that run when the shell ends.
    pub(super) traps: Vec<String>,
    /// What the variables may be instead, after branches that set them differently.
    pub(super) others: Vec<Variables>,
}

pub(super) type Variables = HashMap<String, Variable>;

/// What a command leaves behind besides its effects.
pub(super) struct Outcome<'c> {
    pub(super) output: Stream<'c>,
    /// Whether it succeeds, where that is certain.
    pub(super) status: Option<bool>,
}

impl<'c> Outcome<'c> {
    /// Nothing is known about what it prints.
    pub(super) fn opaque() -> Self {
        Outcome::printing(Stream::unknown())
    }

    pub(super) fn silent() -> Self {
        Outcome::printing(Stream::empty())
    }

    pub(super) fn printing(output: Stream<'c>) -> Self {
        Outcome {
            output,
            status: None,
        }
    }

    pub(super) fn text(text: impl Into<String>) -> Self {
        Outcome::printing(Stream::Text(text.into()))
    }
}

impl Session<'_> {
    /// Marks the whole command as not understood.
    pub(super) fn give_up(&self, why: impl Into<String>) {
        self.failure.borrow_mut().get_or_insert_with(|| why.into());
    }

    pub(super) fn gave_up(&self) -> bool {
        self.failure.borrow().is_some()
    }

    pub(super) fn emit(&self, effect: ShellEffect) {
        self.effects.borrow_mut().push(effect);
        if self.effect_count() > limits::MAX_EFFECTS {
            self.give_up("it does too many things to follow");
        }
    }

    /// Notes that this much text was made.
    pub(super) fn spend(&self, length: usize) {
        self.text_made.set(self.text_made.get() + length);
        if self.text_made.get() > limits::MAX_TEXT {
            self.give_up("it makes too much text to follow");
        }
    }

    pub(super) fn effect_count(&self) -> usize {
        self.effects.borrow().len()
    }

    /// Whether the command may have changed a file by now.
    pub(super) fn may_have_written(&self, file: &Path) -> bool {
        self.effects.borrow().iter().any(|effect| match effect {
            ShellEffect::Write { path, .. } => path == file,
            ShellEffect::UnknownTarget { .. } | ShellEffect::RewriteSome { .. } => true,
            _ => false,
        })
    }

    /// Forgets the effects after the first `count`: they came from a trial.
    pub(super) fn forget_effects_after(&self, count: usize) {
        self.effects.borrow_mut().truncate(count);
    }

    /// Whether one more directory entry may be looked at.
    pub(super) fn may_look(&self) -> bool {
        self.entries.set(self.entries.get() + 1);
        self.entries.get() <= MAX_ENTRIES
    }

    /// A name that was not given before.
    pub(super) fn fresh_name(&self) -> String {
        format!("fresh{:05}", self.steps.get())
    }

    /// Whether what follows may be looked at once more.
    pub(super) fn may_fork(&self) -> bool {
        self.forks.set(self.forks.get() + 1);
        self.forks.get() <= MAX_FORKS && self.steps.get() <= MAX_STEPS_TO_FORK
    }

    /// Whether there is room for one more step.
    pub(super) fn step(&self) -> bool {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > MAX_STEPS {
            self.give_up("it does too many things to follow");
        }
        !self.gave_up()
    }
}

impl<'c> Shell<'c> {
    pub(super) fn new(context: &'c ShellContext<'c>) -> Self {
        let cwd = context.cwd.to_string_lossy().into_owned();
        Shell {
            session: Rc::new(Session {
                context,
                effects: RefCell::default(),
                failure: RefCell::default(),
                steps: Cell::new(0),
                forks: Cell::new(0),
                depth: Cell::new(0),
                entries: Cell::new(0),
                text_made: Cell::new(0),
                links: RefCell::default(),
                files: RefCell::default(),
                copies: RefCell::default(),
                made: RefCell::default(),
                documents: RefCell::default(),
                pipes: RefCell::default(),
            }),
            variables: HashMap::new(),
            functions: HashMap::new(),
            aliases: HashMap::new(),
            positional: Vec::new(),
            previous: cwd.clone(),
            directories: Vec::new(),
            cwd,
            stdin: Rc::new(RefCell::new(Stream::unknown())),
            stops_on_failure: false,
            globs_match_dots: false,
            traps: Vec::new(),
            others: Vec::new(),
        }
    }

    pub(super) fn into_analysis(self) -> Analysis {
        if let Some(why) = self.session.failure.borrow_mut().take() {
            return Analysis::Unparsed { why };
        }
        let effects = std::mem::take(&mut *self.session.effects.borrow_mut());
        let mut seen = HashSet::new();
        let unique = effects
            .into_iter()
            .filter(|effect| seen.insert(effect.clone()));
        Analysis::Effects(unique.collect())
    }

    pub(super) fn context(&self) -> &'c ShellContext<'c> {
        self.session.context
    }

    pub(super) fn emit(&self, effect: ShellEffect) {
        self.session.emit(effect);
    }

    /// Runs what was left for the end, where the shell is then.
    pub(super) fn run_traps(&mut self) {
        for trap in std::mem::take(&mut self.traps) {
            self.run_text_in_child(&trap);
        }
    }

    /// Runs shell text in this very shell, as `eval` does.
    pub(super) fn run_text(&mut self, command: &str) -> Outcome<'c> {
        if !text::is_known(command) {
            return self.run_partly_known(command);
        }
        match self.parse(command) {
            Ok(program) => self.deeper(|shell| shell.run_program(&program)),
            Err(why) => {
                self.session.give_up(why);
                Outcome::opaque()
            }
        }
    }

    fn parse(&self, command: &str) -> Result<Program, String> {
        limits::parse(command, &mut self.session.documents.borrow_mut())
    }

    /// Whether a text can be read as shell.
    pub(super) fn reads_as_shell(&self, text: &str) -> bool {
        self.parse(text).is_ok()
    }

    /// Runs shell text that may be something else: if it can't be parsed nothing is lost.
    pub(super) fn run_if_shell(&mut self, text: &str) -> Outcome<'c> {
        self.clone().run_here_if_shell(text)
    }

    /// The same in this very shell.
    pub(super) fn run_here_if_shell(&mut self, text: &str) -> Outcome<'c> {
        match self.parse(text) {
            Ok(program) => self.deeper(|shell| shell.run_program(&program)),
            Err(_) => Outcome::opaque(),
        }
    }

    /// Runs text some of which is unknown: the unknown stretches become an unset variable, so that
    /// what is known around them is still looked at.
    fn run_partly_known(&mut self, command: &str) -> Outcome<'c> {
        if command.contains(text::DISGUISED) {
            self.emit(ShellEffect::Evasion(Evasion::DisguisedCode));
            return Outcome::opaque();
        }
        if command.trim_matches([text::UNKNOWN, ' ', '\n']).is_empty() {
            return Outcome::opaque();
        }
        let stand_in = command.replace(text::UNKNOWN, "_unknown_");
        match self.parse(&stand_in) {
            Ok(program) => self.deeper(|shell| shell.run_program(&program)),
            Err(_) => Outcome::opaque(),
        }
    }

    /// Runs shell text as a child process would: nothing it sets comes back.
    pub(super) fn run_text_in_child(&mut self, command: &str) -> Outcome<'c> {
        self.clone().run_text(command)
    }

    /// Goes one level deeper, or gives up where the levels end.
    pub(super) fn deeper(&mut self, run: impl FnOnce(&mut Self) -> Outcome<'c>) -> Outcome<'c> {
        let session = Rc::clone(&self.session);
        let depth = session.depth.get();
        if depth >= MAX_DEPTH {
            session.give_up("it nests too deep to follow");
            return Outcome::opaque();
        }
        session.depth.set(depth + 1);
        let outcome = run(self);
        session.depth.set(depth);
        outcome
    }

    /// The value of a variable, from the command itself or from its environment.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        if let Some(variable) = self.variables.get(name) {
            let (_, value) = variable.elements.first()?;
            return if variable.is_reference && value != name {
                self.variable(&value.clone())
            } else {
                Some(value.clone())
            };
        }
        match name {
            "PWD" => Some(self.cwd.clone()),
            "OLDPWD" => Some(self.previous.clone()),
            "IFS" => Some(" \t\n".to_owned()),
            "HOME" => self
                .context()
                .home
                .map(|home| home.to_string_lossy().into_owned()),
            "RANDOM" | "SECONDS" | "BASHPID" | "PPID" | "EPOCHSECONDS" | "EPOCHREALTIME"
            | "LINENO" | "SRANDOM" | "UID" | "EUID" => Some(text::unknown()),
            _ => (self.context().variables)(name),
        }
    }

    /// The value of a variable the command itself puts into the environment of its children.
    pub(super) fn exported(&self, name: &str) -> Option<String> {
        let variable = self.variables.get(name)?;
        let (_, value) = variable.elements.first()?;
        variable.exported.then(|| value.clone())
    }

    /// The names the command itself puts into the environment of its children.
    pub(super) fn exported_names(&self) -> Vec<String> {
        let exported = self.variables.iter().filter(|(_, v)| v.exported);
        exported.map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<String>) {
        if name.contains('[') {
            self.evaluated(name);
        }
        let name = self.referred(name);
        let variable = self.variables.entry(name.clone()).or_default();
        variable.elements = vec![("0".to_owned(), value.into())];
        self.check_size(&name);
    }

    /// Values that grow without end become unknown.
    pub(super) fn check_size(&mut self, name: &str) {
        let Some(variable) = self.variables.get_mut(name) else {
            return;
        };
        let length: usize = variable.elements.iter().map(|(_, value)| value.len()).sum();
        if length > limits::MAX_VALUE || variable.elements.len() > limits::MAX_WORDS {
            variable.elements = vec![("0".to_owned(), text::unknown())];
        }
    }

    /// The variable a name stands for, through `declare -n`.
    pub(super) fn referred(&self, name: &str) -> String {
        match self.variables.get(name) {
            Some(variable) if variable.is_reference => match variable.elements.first() {
                Some((_, target)) => target.clone(),
                None => name.to_owned(),
            },
            _ => name.to_owned(),
        }
    }

    pub(super) fn export(&mut self, name: &str) {
        if !self.variables.contains_key(name) {
            let inherited = self.variable(name).unwrap_or_default();
            self.set(name, inherited);
        }
        if let Some(variable) = self.variables.get_mut(name) {
            variable.exported = true;
        }
    }

    pub(super) fn field_separators(&self) -> String {
        self.variable("IFS").unwrap_or_default()
    }

    /// What the next command reads.
    pub(super) fn input(&self) -> Stream<'c> {
        self.stdin.borrow().clone()
    }

    pub(super) fn is_directory(&self, path: &Path) -> bool {
        self.session.made.borrow().contains(path) || (self.context().is_dir)(path)
    }
}
