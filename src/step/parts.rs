//! What a step changes, taken apart path by path: tests, source, prose and the rest.

use std::collections::BTreeSet;

use gix::bstr::{BStr, ByteSlice};

use crate::error::Result;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change, Leaf};
use crate::languages::{self, Code, SourceChange, StubRules, Test, TestChange, Unreadable};
use crate::parts::{manifest, summary};
use crate::rules::PathClass;
use crate::rules::{Changed, SourceKind, TestsPart};

/// What a step does to one path.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) change: Change,
    pub(crate) kind: PartKind,
    /// Only layout and comments changed.
    pub(crate) layout: bool,
    /// The file before and after, where its language can be read.
    pub(crate) old: Option<Code>,
    pub(crate) new: Option<Code>,
    /// What keeps the file from being read.
    pub(crate) unreadable: Option<Unreadable>,
    /// The source asks in more places than before whether it is being tested.
    pub(crate) asks_for_tests: bool,
}

/// Which parts of a path change.
#[derive(Debug, Clone)]
pub(crate) enum PartKind {
    /// A file of tests whose tests can be told.
    Tests(TestChange),
    /// Test data, helpers without tests, what steers the tests, tests in a language without grammar.
    AroundTests {
        /// It steers how tests are found, built and run.
        harness: bool,
    },
    /// Source, and the tests in it.
    Source {
        source: SourceKind,
        tests: TestChange,
    },
    /// What names dependencies: experiments have it as the worktree does.
    Dependencies,
    /// Everything else that a test may see.
    Other,
    /// Prose.
    Docs,
}

/// A step, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) parts: Vec<Part>,
}

impl Parts {
    /// Takes the changes from one tree to another apart.
    pub(crate) fn of(
        repo: &Repo,
        changes: &[Change],
        class: &dyn Fn(&BStr) -> PathClass,
        stubs: StubRules,
    ) -> Result<Parts> {
        let mut parts = Vec::new();
        for change in changes {
            parts.push(part_of(repo, change, class, stubs)?);
        }
        Ok(Parts { parts })
    }

    /// The sum of it, for the rules.
    pub(crate) fn changed(&self) -> Changed {
        let mut changed = Changed::NOTHING;
        let moves = super::moves::Moves::of(self);
        for part in &self.parts {
            if part.layout {
                changed.layout = true;
                continue;
            }
            match &part.kind {
                PartKind::Docs => changed.docs = true,
                PartKind::Other | PartKind::Dependencies => changed.other = true,
                PartKind::AroundTests { .. } if part.may_hold_new_tests() => {
                    changed.tests = TestsPart::Added;
                }
                PartKind::AroundTests { .. } => changed.tests = at_least_changed(changed.tests),
                PartKind::Tests(tests) => note_tests(&mut changed, tests, &moves, part.path()),
                PartKind::Source { source, tests } => {
                    changed.source = changed.source.max(*source);
                    // The same declarations in another order are laid out otherwise.
                    changed.layout |= *source == SourceKind::Same;
                    note_tests(&mut changed, tests, &moves, part.path());
                }
            }
        }
        changed
    }

    /// Whether the step changes or removes code or tests that the accepted tree has.
    pub(crate) fn touches_accepted_code(&self) -> bool {
        self.parts.iter().any(|part| match &part.kind {
            PartKind::Source { source, .. } => {
                part.change.before.is_some() && *source >= SourceKind::NoGrammar && !part.layout
            }
            PartKind::Tests(_)
            | PartKind::AroundTests { .. }
            | PartKind::Dependencies
            | PartKind::Other
            | PartKind::Docs => false,
        })
    }

    /// Whether files of tests change, if only in their layout and comments.
    pub(crate) fn touches_test_files(&self) -> bool {
        self.parts.iter().any(|part| match &part.kind {
            PartKind::Tests(_) | PartKind::AroundTests { .. } => true,
            PartKind::Source { .. } | PartKind::Dependencies | PartKind::Other | PartKind::Docs => {
                false
            }
        })
    }

    /// The source files that behave otherwise while they are tested.
    pub(crate) fn asking_for_tests(&self) -> Vec<String> {
        let asking = self.parts.iter().filter(|part| part.asks_for_tests);
        asking.map(|part| part.change.path.to_string()).collect()
    }

    /// Whether the source only loses lines.
    pub(crate) fn source_goes(&self) -> bool {
        let source = |part: &&Part| matches!(part.kind, PartKind::Source { .. }) && !part.layout;
        self.parts.iter().filter(source).all(Part::only_loses_lines)
    }

    /// The paths of all parts.
    pub(crate) fn paths(&self) -> Vec<String> {
        let paths = self.parts.iter().map(|part| part.change.path.to_string());
        paths.collect()
    }

    /// A file that does not parse, and where.
    pub(crate) fn does_not_parse(&self) -> Option<(String, usize)> {
        self.parts.iter().find_map(|part| match part.unreadable? {
            Unreadable::Syntax { line } => Some((part.change.path.to_string(), line)),
            Unreadable::NoGrammar | Unreadable::NotText | Unreadable::TooLarge => None,
        })
    }

    /// A file that can't be read as code, and why.
    pub(crate) fn unreadable(&self) -> Option<(String, Unreadable)> {
        let mut parts = self.parts.iter();
        parts.find_map(|part| Some((part.change.path.to_string(), part.unreadable?)))
    }
}

impl Part {
    pub(crate) fn path(&self) -> &BStr {
        self.change.path.as_bstr()
    }

    /// Whether a file of tests only grows: every test it had is as it was, and of the rest only
    /// imports changed.
    pub(crate) fn only_adds_tests(&self) -> bool {
        match &self.kind {
            PartKind::Tests(tests) => {
                tests.changed.is_empty() && tests.removed.is_empty() && self.keeps_its_lines()
            }
            PartKind::AroundTests { harness } => !harness && self.change.before.is_none(),
            PartKind::Source { tests, .. } => {
                tests.changed.is_empty() && tests.removed.is_empty() && !tests.other
            }
            PartKind::Dependencies | PartKind::Other | PartKind::Docs => false,
        }
    }

    /// Whether it is a new file below the tests that can't be read, so that nobody can say that no
    /// test is in it.
    fn may_hold_new_tests(&self) -> bool {
        matches!(self.kind, PartKind::AroundTests { harness: false })
            && self.change.before.is_none()
            && self.unreadable == Some(Unreadable::NoGrammar)
    }

    /// Whether every line of the file is still there, imports aside.
    fn keeps_its_lines(&self) -> bool {
        lines_beyond(&self.old, &self.new).all(is_import)
    }

    /// Whether no line came that was not there.
    fn only_loses_lines(&self) -> bool {
        self.unreadable.is_none() && lines_beyond(&self.new, &self.old).next().is_none()
    }

    /// What it does to tests that can be told.
    pub(crate) fn tests(&self) -> Option<&TestChange> {
        match &self.kind {
            PartKind::Tests(tests) | PartKind::Source { tests, .. } => Some(tests),
            PartKind::AroundTests { .. }
            | PartKind::Dependencies
            | PartKind::Other
            | PartKind::Docs => None,
        }
    }
}

/// A new file of tests in a language that can't be read: which tests it holds, only a run tells.
pub(crate) fn is_new_without_grammar(part: &Part) -> bool {
    part.change.before.is_none() && part.unreadable == Some(Unreadable::NoGrammar)
}

/// The lines of a file that another one has not.
fn lines_beyond<'c>(
    code: &'c Option<Code>,
    other: &'c Option<Code>,
) -> impl Iterator<Item = &'c str> {
    let lines = |code: &'c Option<Code>| {
        let text = code.as_ref().map_or("", Code::text);
        text.lines().map(str::trim)
    };
    let known: BTreeSet<&str> = lines(other).collect();
    lines(code).filter(move |line| !known.contains(line))
}

fn is_import(line: &str) -> bool {
    const BEGINNINGS: [&str; 8] = [
        "import ", "from ", "use ", "require", "#include", "const {", "var ", "using ",
    ];
    line.is_empty()
        || BEGINNINGS
            .iter()
            .any(|beginning| line.starts_with(beginning))
}

fn at_least_changed(tests: TestsPart) -> TestsPart {
    match tests {
        TestsPart::Same | TestsPart::Changed => TestsPart::Changed,
        TestsPart::Added => TestsPart::Added,
    }
}

fn note_tests(changed: &mut Changed, tests: &TestChange, moves: &super::moves::Moves, path: &BStr) {
    if tests.is_none() {
        return;
    }
    changed.tests = at_least_changed(changed.tests);
    if tests.added.iter().any(|test| !moves.came(path, test)) {
        changed.tests = TestsPart::Added;
    }
}

fn part_of(
    repo: &Repo,
    change: &Change,
    class: &dyn Fn(&BStr) -> PathClass,
    stubs: StubRules,
) -> Result<Part> {
    let plain = |kind| Part {
        change: change.clone(),
        kind,
        layout: false,
        old: None,
        new: None,
        unreadable: None,
        asks_for_tests: false,
    };
    if change.is_submodule() {
        return Ok(plain(PartKind::Other));
    }
    let by_name = class(change.path.as_bstr());
    let bytes = Bytes::of(repo, change)?;
    let (old, new) = (bytes.old.as_deref(), bytes.new.as_deref());
    match summary::class_of(&change.path, by_name, old, new) {
        PathClass::Docs | PathClass::Spec => Ok(plain(PartKind::Docs)),
        PathClass::Protected => Ok(plain(PartKind::Other)),
        PathClass::Harness => Ok(Part {
            layout: summary::change(&change.path, by_name, old, new).layout_only,
            ..plain(PartKind::AroundTests { harness: true })
        }),
        PathClass::Other => {
            let told = summary::change(&change.path, by_name, old, new);
            let is_lock = manifest::is_lock_file(&change.path);
            let kind = if told.harness || told.unreadable.is_some() {
                PartKind::AroundTests { harness: true }
            } else if told.dependencies || is_lock {
                PartKind::Dependencies
            } else {
                PartKind::Other
            };
            Ok(Part {
                layout: told.layout_only,
                ..plain(kind)
            })
        }
        PathClass::Test => test_file(change, &bytes),
        PathClass::Source | PathClass::Mixed => source_file(change, &bytes, stubs),
    }
}

/// Both sides of a change; nothing where there is no file, or a link.
struct Bytes {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    has_link: bool,
}

impl Bytes {
    fn of(repo: &Repo, change: &Change) -> Result<Bytes> {
        let read = |leaf: Option<Leaf>| -> Result<Option<Vec<u8>>> {
            let leaf = leaf.filter(|leaf| !leaf.is_link());
            leaf.map(|leaf| trees::content(repo, leaf)).transpose()
        };
        Ok(Bytes {
            old: read(change.before)?,
            new: read(change.after)?,
            has_link: change.is_link(),
        })
    }

    /// Both sides as code.
    fn code(&self, path: &[u8]) -> std::result::Result<(Option<Code>, Option<Code>), Unreadable> {
        if self.has_link {
            return Err(Unreadable::NotText);
        }
        let read = |bytes: Option<&[u8]>| bytes.map(|bytes| Code::read(path, bytes)).transpose();
        let new = read(self.new.as_deref())?;
        Ok((read(self.old.as_deref())?, new))
    }
}

fn test_file(change: &Change, bytes: &Bytes) -> Result<Part> {
    let mut part = Part {
        change: change.clone(),
        kind: PartKind::AroundTests { harness: false },
        layout: false,
        old: None,
        new: None,
        unreadable: None,
        asks_for_tests: false,
    };
    match bytes.code(&change.path) {
        Ok((old, new)) => {
            let change = change_of_tests(old.as_ref(), new.as_ref());
            part.layout = change.is_none() && is_layout(old.as_ref(), new.as_ref());
            // A file of helpers or data is used by tests that stand elsewhere.
            let holds_tests =
                |code: &Option<Code>| code.as_ref().is_some_and(|code| !code.tests().is_empty());
            if holds_tests(&old) || holds_tests(&new) {
                part.kind = PartKind::Tests(change);
            }
            (part.old, part.new) = (old, new);
        }
        Err(why) => part.unreadable = Some(why),
    }
    Ok(part)
}

fn source_file(change: &Change, bytes: &Bytes, stubs: StubRules) -> Result<Part> {
    let mut part = Part {
        change: change.clone(),
        kind: PartKind::Source {
            source: match change.is_link() {
                // It may lead to any code.
                true => SourceKind::Code,
                false => SourceKind::NoGrammar,
            },
            tests: TestChange::default(),
        },
        layout: false,
        old: None,
        new: None,
        unreadable: None,
        asks_for_tests: false,
    };
    match bytes.code(&change.path) {
        Ok((old, new)) => {
            let change = languages::change_by(&stubs, old.as_ref(), new.as_ref());
            // An example in the documentation is a test all the same.
            part.layout = change.tests.is_none() && is_layout(old.as_ref(), new.as_ref());
            part.asks_for_tests = change.new_guard;
            part.kind = PartKind::Source {
                source: kind_of(change.source),
                tests: match is_mixed(old.as_ref(), new.as_ref()) {
                    true => change.tests,
                    false => TestChange::default(),
                },
            };
            (part.old, part.new) = (old, new);
        }
        Err(why) => part.unreadable = Some(why),
    }
    Ok(part)
}

/// In a file of tests everything is about tests.
fn change_of_tests(old: Option<&Code>, new: Option<&Code>) -> TestChange {
    let change = languages::change(old, new);
    // Where tests are marked, what is not is helpers.
    let helpers = is_mixed(old, new) && change.source != SourceChange::Same;
    TestChange {
        other: change.tests.other || helpers,
        ..change.tests
    }
}

fn is_mixed(old: Option<&Code>, new: Option<&Code>) -> bool {
    old.is_some_and(Code::is_mixed) || new.is_some_and(Code::is_mixed)
}

fn is_layout(old: Option<&Code>, new: Option<&Code>) -> bool {
    matches!((old, new), (Some(old), Some(new)) if old.same_code(new))
}

fn kind_of(source: SourceChange) -> SourceKind {
    match source {
        SourceChange::Same => SourceKind::Same,
        SourceChange::Declares => SourceKind::Declares,
        SourceChange::Stub => SourceKind::Stub,
        SourceChange::Code => SourceKind::Code,
    }
}

/// The names that the step's files declared before and do not any more, and those that came.
pub(crate) fn renamed_names(parts: &Parts) -> (BTreeSet<String>, BTreeSet<String>) {
    let names = |side: fn(&Part) -> Option<&Code>| -> BTreeSet<String> {
        let codes = parts.parts.iter().filter_map(side);
        codes.flat_map(languages::declared_names).collect()
    };
    let stems = |is_there: fn(&Change) -> bool| -> BTreeSet<String> {
        let changes = parts.parts.iter().map(|part| &part.change);
        let paths = changes.filter(|change| is_there(change));
        paths.filter_map(|change| stem(&change.path)).collect()
    };
    let mut before = names(|part| part.old.as_ref());
    let mut after = names(|part| part.new.as_ref());
    before.extend(stems(|change| change.before.is_some()));
    after.extend(stems(|change| change.after.is_some()));
    let gone = before.difference(&after).cloned().collect();
    let came = after.difference(&before).cloned().collect();
    (gone, came)
}

/// Whether the tests that a step brings name what its source declares and nothing declared before.
pub(crate) fn tests_name_what_is_new(parts: &Parts) -> bool {
    let is_tests = |part: &&Part| matches!(part.kind, PartKind::Tests(_));
    let declared = |side: fn(&Part) -> Option<&Code>| -> BTreeSet<String> {
        let source = parts.parts.iter().filter(|part| !is_tests(part));
        source
            .filter_map(side)
            .flat_map(languages::declared_names)
            .collect()
    };
    let before = declared(|part| part.old.as_ref());
    let mut new = declared(|part| part.new.as_ref());
    new.retain(|name| !before.contains(name));
    let mut tests = parts.parts.iter().filter(is_tests);
    tests.any(|part| {
        let text = part.new.as_ref().map_or("", |code| code.text());
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| new.contains(word))
    })
}

/// The name of a file, as modules are named after it.
fn stem(path: &[u8]) -> Option<String> {
    let name = path.rsplit(|byte| *byte == b'/').next()?.to_str().ok()?;
    Some(name.split('.').next()?.to_owned())
}

/// The text of a test.
pub(crate) fn text_of(code: &Code, test: &Test) -> String {
    let lines = code.text().lines();
    let first = test.lines.start.saturating_sub(1);
    let count = test.lines.end.saturating_sub(test.lines.start);
    lines.skip(first).take(count).collect::<Vec<_>>().join("\n")
}
