//! Source with hollow bodies: functions that say "not implemented" before their first statement.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::code::{Code, line_of};
use super::comeback::dropped;
use super::items::Item;
use super::splice::splice;
use super::stub::is_stub_function;
use super::syntax::{Answer, Edit, Kind};
use super::tokens::texts;

/// What a hollow function says, before its number.
const MESSAGE: &str = "not implemented: tcr ";

/// What is to be hollowed, and how.
#[derive(Debug, Clone, Copy)]
pub struct HollowRequest<'a> {
    /// Which functions.
    pub scope: Scope,
    /// What they answer.
    pub form: Form,
    /// The number of the first function.
    pub first_number: u32,
    /// These keep their new body: they died at load.
    pub keep: &'a BTreeSet<u32>,
    /// Old functions that did not build: hollow instead, or left out again.
    pub whole: &'a BTreeSet<u32>,
}

/// What a hollow function answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// The empty value of the language or type where there is one, else as `NotImplemented`.
    Empty,
    /// "not implemented", with its number.
    NotImplemented,
}

/// Which functions are hollow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Functions that the new file adds. Functions and values that the old one has are taken from
    /// it as they were, and so are names that they need and the new one dropped.
    Hollow,
    /// Functions that the new file adds and that are no stubs; all else is as it is.
    Needed {
        /// Also functions that were there with another body, if the new body is nowhere in the old
        /// file.
        changed: bool,
    },
    /// Every function.
    All,
}

/// A text with hollow functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hollowed {
    /// The text.
    pub text: String,
    /// The functions in question, in order.
    pub functions: Vec<HollowFunction>,
    /// How many values were taken from the old file.
    pub replaced_values: usize,
}

/// A function that was in question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HollowFunction {
    /// The number in its message. It does not depend on what was to be kept.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// The containers around it.
    pub path: Vec<String>,
    /// The line (from 1) in the new file; of a function that only the old one has, its line there.
    pub line: usize,
    /// It is hollow; else it is as in the old file, or kept.
    pub hollowed: bool,
    /// Its lines (from 1) in the hollowed text; empty if it was left out.
    pub text_lines: Range<usize>,
}

/// Makes functions hollow.
pub fn hollow(old: Option<&Code>, new: &Code, request: &HollowRequest<'_>) -> Hollowed {
    let new_items = new.items();
    let old_items = old.map(Code::items).unwrap_or_default();
    let mut work = Work {
        old: old.map(|code| (code, Old::of(code, &old_items))),
        new,
        request,
        next: request.first_number,
        edits: Vec::new(),
        functions: Vec::new(),
        taken: Vec::new(),
        replaced_values: 0,
    };
    for item in new_items.iter().filter(|item| !item.is_test_part) {
        match item.kind {
            Kind::Function => work.function(item),
            Kind::Value => work.value(item),
            Kind::Container | Kind::Type | Kind::Import | Kind::Statement => {}
        }
    }
    if let (Some(old), Scope::Hollow) = (old, request.scope) {
        let taken = std::mem::take(&mut work.taken);
        for back in dropped((old, &old_items), (new, &new_items), &taken) {
            work.comes_back(old, back.item, back.edit);
        }
    }
    work.finish()
}

/// The numbers of hollow functions that a text speaks of.
pub fn numbers_in(output: &str) -> BTreeSet<u32> {
    output
        .match_indices(MESSAGE)
        .filter_map(|(at, found)| {
            let rest = output.get(at + found.len()..)?;
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest.get(..end)?.parse().ok()
        })
        .collect()
}

/// The old file's items.
struct Old<'a, 't> {
    by_key: BTreeMap<&'a str, &'a Item<'t>>,
    bodies: BTreeSet<Vec<String>>,
}

impl<'a, 't> Old<'a, 't> {
    fn of(code: &'t Code, items: &'a [Item<'t>]) -> Old<'a, 't> {
        let source = || items.iter().filter(|item| !item.is_test_part);
        Old {
            by_key: source().map(|item| (item.key.as_str(), item)).collect(),
            bodies: source()
                .filter(|item| item.kind == Kind::Function)
                .map(|item| body_of(code, item))
                .collect(),
        }
    }
}

fn body_of(code: &Code, item: &Item<'_>) -> Vec<String> {
    let all = item.body_tokens(code);
    texts(&all).into_iter().map(str::to_owned).collect()
}

/// What is to become of a function.
enum Fate<'a, 't> {
    Stays,
    Hollow,
    AsBefore(&'a Item<'t>),
}

struct Work<'a, 't> {
    old: Option<(&'t Code, Old<'a, 't>)>,
    new: &'t Code,
    request: &'a HollowRequest<'a>,
    next: u32,
    edits: Vec<Edit>,
    functions: Vec<(HollowFunction, Range<usize>)>,
    /// Items of the old file that are used.
    taken: Vec<&'a Item<'t>>,
    replaced_values: usize,
}

impl<'a, 't> Work<'a, 't> {
    fn before(&self, item: &Item<'t>) -> Option<(&'t Code, &'a Item<'t>)> {
        let (code, old) = self.old.as_ref()?;
        Some((code, *old.by_key.get(item.key.as_str())?))
    }

    fn is_known_body(&self, item: &Item<'t>) -> bool {
        self.old
            .as_ref()
            .is_some_and(|(_, old)| old.bodies.contains(&body_of(self.new, item)))
    }

    fn fate(&self, item: &Item<'t>) -> Fate<'a, 't> {
        if item.body.is_none() {
            return Fate::Stays;
        }
        let before = self
            .before(item)
            .filter(|(_, was)| was.kind == Kind::Function);
        match (self.request.scope, before) {
            (Scope::All, _) => Fate::Hollow,
            (Scope::Needed { changed }, before) => {
                let asked = (before.is_none() || changed) && !self.is_known_body(item);
                match asked && !is_stub_function(self.new, item) {
                    true => Fate::Hollow,
                    false => Fate::Stays,
                }
            }
            (Scope::Hollow, None) => Fate::Hollow,
            (Scope::Hollow, Some((code, was))) => {
                if self.is_same(code, was, item) {
                    Fate::Stays
                } else if fits(was, item) {
                    Fate::AsBefore(was)
                } else {
                    Fate::Hollow
                }
            }
        }
    }

    fn is_same(&self, code: &'t Code, was: &Item<'t>, is: &Item<'t>) -> bool {
        let said = |code: &'t Code, item: &Item<'t>| -> Vec<String> {
            let whole = item
                .attributes
                .iter()
                .chain([&item.node])
                .flat_map(|node| super::tokens::tokens(code.syntax, *node, &code.text));
            whole.map(|token| token.text.into_owned()).collect()
        };
        said(code, was) == said(self.new, is)
    }

    fn function(&mut self, item: &Item<'t>) {
        let fate = self.fate(item);
        if matches!(fate, Fate::Stays) {
            return;
        }
        let number = self.next;
        let answer = Answer {
            message: format!("{MESSAGE}{number}"),
            empty: self.request.form == Form::Empty,
            unheard: self.request.scope == Scope::Hollow,
        };
        let front = self.new.syntax.front(item, &self.new.text, &answer);
        let is_kept = self.request.keep.contains(&number);
        let is_whole = self.request.whole.contains(&number);
        let (edits, hollowed) = match (fate, front) {
            (Fate::Stays, _) => return,
            (Fate::Hollow, None) => return,
            (Fate::Hollow | Fate::AsBefore(_), _) if is_kept => (Vec::new(), false),
            (Fate::Hollow, Some(front)) => (front, true),
            (Fate::AsBefore(_), front) if is_whole => {
                let hollowed = front.is_some();
                (front.unwrap_or_default(), hollowed)
            }
            (Fate::AsBefore(was), _) => {
                self.taken.push(was);
                let text = self.old.as_ref().map_or("", |(code, _)| code.text.as_str());
                let old = (was, text);
                (
                    self.new.syntax.old_function(old, (item, &self.new.text)),
                    false,
                )
            }
        };
        self.next += 1;
        self.edits.extend(edits);
        let line = self.new.line_of(item.node.start_byte());
        self.note(number, item, line, hollowed, item.range.clone());
    }

    fn note(
        &mut self,
        number: u32,
        item: &Item<'t>,
        line: usize,
        hollowed: bool,
        range: Range<usize>,
    ) {
        let function = HollowFunction {
            number,
            name: item.name.clone(),
            path: item.path.clone(),
            line,
            hollowed,
            text_lines: 0..0,
        };
        self.functions.push((function, range));
    }

    /// A value that changed has its old value.
    fn value(&mut self, item: &Item<'t>) {
        if self.request.scope != Scope::Hollow {
            return;
        }
        let Some((code, was)) = self.before(item) else {
            return;
        };
        let has_value = was.kind == Kind::Value && was.body.is_some();
        if !has_value || self.is_same(code, was, item) || !fits(was, item) {
            return;
        }
        self.taken.push(was);
        self.replaced_values += 1;
        let edit = super::syntax::whole_item((was, &code.text), (item, &self.new.text));
        self.edits.push(edit);
    }

    /// A name that the old functions need.
    fn comes_back(&mut self, old: &'t Code, item: &Item<'t>, edit: Edit) {
        if item.kind != Kind::Function {
            self.edits.push(edit);
            return;
        }
        let number = self.next;
        self.next += 1;
        let place = edit.range.clone();
        if !self.request.whole.contains(&number) {
            self.edits.push(edit);
        }
        let line = old.line_of(item.node.start_byte());
        self.note(number, item, line, false, place);
    }

    fn finish(self) -> Hollowed {
        let spliced = splice(&self.new.text, self.edits);
        let functions = self
            .functions
            .into_iter()
            .map(|(mut function, range)| {
                let start = spliced.start_of(range.start);
                let end = match range.is_empty() {
                    true => spliced.end_of(range.end),
                    false => spliced.start_of(range.end),
                };
                if start < end {
                    let last = line_of(&spliced.text, end - 1);
                    function.text_lines = line_of(&spliced.text, start)..last + 1;
                }
                function
            })
            .collect();
        Hollowed {
            functions,
            replaced_values: self.replaced_values,
            text: spliced.text,
        }
    }
}

/// Whether the old item can stand where the new one does.
fn fits(old: &Item<'_>, new: &Item<'_>) -> bool {
    let column = |item: &Item<'_>| {
        let first = item.attributes.first().unwrap_or(&item.node);
        first.start_position().column
    };
    old.body.is_some()
        && old.is_part == new.is_part
        && (column(old) == column(new)
            || old.node.start_position().row == old.node.end_position().row)
        && (old.node.kind() == new.node.kind() || (is_statement(old) && is_statement(new)))
}

/// A function in either of its two spellings, one as good as the other.
fn is_statement(item: &Item<'_>) -> bool {
    let is_default = item.node.parent().is_some_and(|outer| {
        outer.kind() == "export_statement"
            && outer
                .child(1u32)
                .is_some_and(|word| word.kind() == "default")
    });
    let kind = item.node.kind();
    !is_default
        && matches!(
            kind,
            "function_declaration"
                | "generator_function_declaration"
                | "lexical_declaration"
                | "variable_declaration"
        )
}
