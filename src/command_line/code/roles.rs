//! What becomes of a text in a program: whether it is surely only looked at. A text that goes
//! nowhere else than to a call that reads, or into the text of a file, names nothing that is
//! written; of any other it is not known.

use std::cell::{Cell, RefCell};

use super::foreign::{EVALUATING, reads, writes};
use super::pieces::{Piece, Pieces};
use crate::command_line::limits;
use crate::command_line::text::is_one_of;

/// Calls whose value is what they are given, as far as it names a file.
const PASSING: &str = "Array File Path PosixPath PurePath Set String URL abspath entries enumerate expanduser \
     format frozenset from fspath glob iglob items iterdir join joinpath keys list normpath realpath resolve \
     reversed rglob scandir set sorted split str strip trim tuple walk zip";
/// Calls that only look at what they are given, beyond those that say so by their name.
const LOOKING: &str = "access assert basename debug error exists expect info isdir isfile len listdir log loads \
     match print print_r puts readdirSync repr require search stat statSync warn warning";
/// Methods that write the text they are given into what they are called on.
const FILLING: &str = "debug dump dumps error info log write write_bytes write_text writelines";
/// Modules with a `write` of their own, whose first argument is the file.
const WRITERS: &str = "Bun Deno File IO fs";
/// Steps from a text to where it ends up, over names and functions.
const MAX_STEPS: u32 = 2_000;
/// Pieces of a call that opens a file; nobody writes a longer one.
const MAX_OPENING: usize = 200;

/// Where an expression stands: what was before it in its brackets or its statement.
#[derive(Default)]
struct Seat {
    /// Commas before it: which argument, or which item it is.
    index: usize,
    /// The name it is passed by, or the key it stands under.
    label: Option<String>,
    /// The names it is bound to, by `=` or by a loop.
    names: Vec<String>,
    /// The names are those of a loop.
    loops: bool,
    /// Something is compared with it.
    is_compared: bool,
    /// It is the end of a path that begins elsewhere.
    is_outside: bool,
}

/// An expression on its way out: from where to where, which item of which list it was.
struct Span {
    start: usize,
    end: usize,
    item: Option<(usize, usize)>,
    key: Option<String>,
    /// How many lists it was in.
    lists: usize,
    text: Text,
}

/// The text that is followed: where it is spelled out, and what it has become on the way.
#[derive(Clone)]
struct Text {
    spelled: usize,
    changed: Option<String>,
}

pub(super) struct Roles<'a> {
    pieces: &'a Pieces,
    /// Whether a path is certainly none of the repository.
    is_outside: &'a dyn Fn(&str) -> bool,
    steps: Cell<u32>,
    /// What texts became, where the path is not the one that was spelled out.
    pub(super) made: RefCell<Vec<String>>,
}

impl<'a> Roles<'a> {
    pub(super) fn new(pieces: &'a Pieces, is_outside: &'a dyn Fn(&str) -> bool) -> Self {
        Roles {
            pieces,
            is_outside,
            steps: Cell::new(0),
            made: RefCell::default(),
        }
    }

    /// Whether the text at a place is surely only looked at.
    pub(super) fn is_harmless(&self, at: usize) -> bool {
        // There what is called stands inside of the brackets.
        if self.pieces.is_lisp {
            return false;
        }
        let text = Text {
            spelled: at,
            changed: None,
        };
        self.harmless(Span::at(at, text), &mut Vec::new())
    }

    fn harmless(&self, span: Span, seen: &mut Vec<String>) -> bool {
        let mut span = span;
        let found = self.is_looked_at(&mut span, seen);
        if let Some(made) = span.text.changed.filter(|_| !found) {
            self.made.borrow_mut().push(made);
            return true;
        }
        found
    }

    fn is_looked_at(&self, span: &mut Span, seen: &mut Vec<String>) -> bool {
        loop {
            self.steps.set(self.steps.get() + 1);
            if self.steps.get() > MAX_STEPS {
                return false;
            }
            if let Some(decided) = self.follow(span) {
                return decided;
            }
            let seat = self.seat(span.start);
            if seat.is_compared || seat.is_outside {
                return true;
            }
            let open = self.pieces.parent(span.start);
            let open = open.filter(|open| !self.pieces.is_block(*open));
            let Some(open) = open else {
                return self.bound(&seat, span, seen);
            };
            // A lambda of its own, or a loop in brackets.
            if !seat.names.is_empty() && self.callee(open).is_none() {
                return self.bound(&seat, span, seen);
            }
            match self.role(open, &seat, &span.text, seen) {
                Role::Looked => return true,
                Role::Unknown => return false,
                Role::Passed => {
                    let close = self.pieces.close(open);
                    let is_list = self.callee(open).is_none();
                    span.lists += usize::from(is_list);
                    let items = self.items(open);
                    if is_list && span.item.is_some() {
                        span.key = None;
                    } else if is_list && self.pieces.mark(open) != Some('{') {
                        span.item = Some((seat.index, items));
                    } else if is_list {
                        let is_key = self.pieces.mark(span.end + 1) == Some(':');
                        span.item = Some((usize::from(!is_key), 2));
                        // Whatever is under a key, it is not the key.
                        span.key = Some(seat.label.filter(|_| !is_key).unwrap_or_default());
                    }
                    let named = usize::from(self.callee(open).is_some());
                    span.start = open - named;
                    span.end = close;
                }
            }
        }
    }

    /// What is called on an expression: decides, or takes the call into the expression.
    fn follow(&self, span: &mut Span) -> Option<bool> {
        loop {
            let next = span.end + 1;
            if self.pieces.mark(next) == Some('[') {
                span.end = self.pieces.close(next);
                continue;
            }
            let attributes = self.pieces.word(next)?;
            if !attributes.starts_with(['.', '?']) {
                return None;
            }
            if let Some(decided) = self.called(attributes, next, span) {
                return Some(decided);
            }
        }
    }

    /// The attributes after an expression, in the word at a place.
    fn called(&self, attributes: &str, at: usize, span: &mut Span) -> Option<bool> {
        let method = last_part(attributes);
        let is_call = self.pieces.mark(at + 1) == Some('(');
        let close = self.pieces.close(at + 1);
        span.end = at;
        if !is_call {
            return None;
        }
        span.end = close;
        match method {
            "open" => Some(!self.lets_write(at + 1, 0)),
            "replace" | "replaceAll" | "sub" | "gsub" => {
                let spelled = self.pieces.text(span.text.spelled).map(str::to_owned);
                let text = span.text.changed.clone().or(spelled)?;
                let (from, to) = (self.pieces.text(at + 2)?, self.pieces.text(at + 4)?);
                let fits = text.len() * (1 + to.len()) < limits::MAX_MATCHED;
                if fits && !from.is_empty() && text.contains(from) {
                    span.text.changed = Some(text.replace(from, to));
                }
                None
            }
            _ if is_one_of(method, PASSING) => None,
            _ if writes(method) => Some(false),
            _ if is_one_of(method, LOOKING) || reads(method) => Some(true),
            _ => None,
        }
    }

    /// What a call, a list or an index makes of its item.
    fn role(&self, open: usize, seat: &Seat, text: &Text, seen: &mut Vec<String>) -> Role {
        let Some(callee) = self.callee(open) else {
            return match self.is_index(open) {
                true => Role::Looked,
                false => Role::Passed,
            };
        };
        let callee = self.original(callee);
        match self.function(last_part(callee)) {
            Some((parameters, from, to)) => {
                let label = seat.label.clone();
                let by_name = label.filter(|label| parameters.contains(label));
                let name = by_name.or_else(|| parameters.get(seat.index).cloned());
                Role::looked_if(name.is_some_and(|name| {
                    self.uses_are_harmless(&name, (None, text), from..to, seen)
                }))
            }
            None => self.meaning(callee, open, seat),
        }
    }

    /// `table['key']`: a key is no path.
    fn is_index(&self, open: usize) -> bool {
        let before = open.checked_sub(1).and_then(|at| self.pieces.all.get(at));
        let is_table = match before {
            Some(Piece::Word(word)) => {
                let is_name = word.ends_with(is_part_of_name);
                is_name && !is_one_of(word, NO_CALLS) && !writes(last_part(word))
            }
            Some(Piece::Mark(')' | ']') | Piece::Literal(..)) => true,
            _ => false,
        };
        let is_alone = self.pieces.close(open) == open + 2;
        is_table && is_alone && self.pieces.mark(open) == Some('[')
    }

    /// What a call of somebody else's function does to an argument.
    fn meaning(&self, callee: &str, open: usize, seat: &Seat) -> Role {
        let on = callee.rsplit_once('.').map(|(on, _)| last_part(on));
        let name = last_part(callee);
        let label = seat.label.as_deref().unwrap_or("");
        let close = self.pieces.close(open);
        let copies = name.starts_with("copy") || is_one_of(name, "cp cpSync");
        // `write(toFile: path)`.
        let fills = is_one_of(name, FILLING)
            && on.is_some_and(|on| !is_one_of(on, WRITERS))
            && !label.contains("File")
            && !label.contains("ath");
        let is_content = ["writeFile", "appendFile", "outputFile", "file_put"]
            .iter()
            .any(|start| name.starts_with(start))
            && seat.index > 0;
        let decodes = ["decode", "hex", "a2b", "atob"]
            .iter()
            .any(|word| name.contains(word));
        match name {
            "open" | "openSync" | "fopen" => {
                Role::looked_if(seat.index == 0 && !self.lets_write(open, 1))
            }
            "input" | "FileInput" => {
                let in_place = (open..close).any(|at| self.pieces.word(at) == Some("inplace"));
                Role::looked_if(!in_place)
            }
            "replace" | "replaceAll" if seat.index > 0 => Role::Passed,
            "replace" | "replaceAll" => Role::Looked,
            _ if copies && self.items(open) > 1 => {
                Role::looked_if(seat.index == 0 && is_one_of_or_none(label, "src source from"))
            }
            _ if fills || is_content => Role::Looked,
            _ if decodes || is_one_of(name, PASSING) => Role::Passed,
            _ => Role::looked_if(!writes(name) && (is_one_of(name, LOOKING) || reads(name))),
        }
    }

    /// What becomes of the names an expression is bound to; where several are, of its own.
    fn bound(&self, seat: &Seat, span: &Span, seen: &mut Vec<String>) -> bool {
        let all = 0..self.pieces.all.len();
        let key = span.key.as_deref();
        let side_by_side = seat.index + self.commas_after(span.end);
        // A loop goes over the outer list and takes the inner ones apart.
        let taken_apart = 1 + usize::from(seat.loops && span.key.is_none());
        let own = match (seat.names.as_slice(), span.item) {
            ([], _) => return false,
            ([name], _) => return self.uses_are_harmless(name, (key, &span.text), all, seen),
            (names, _) if side_by_side > 0 => names
                .get(seat.index)
                .filter(|_| side_by_side + 1 == names.len()),
            (names, Some((item, items))) if span.lists == taken_apart => {
                names.get(item).filter(|_| items == names.len())
            }
            _ => None,
        };
        match own {
            Some(name) => self.uses_are_harmless(name, (None, &span.text), all, seen),
            None => seat
                .names
                .iter()
                .all(|name| self.uses_are_harmless(name, (None, &span.text), all.clone(), seen)),
        }
    }

    /// Whether a name is used, and wherever it is, only looked at. Of a table only the entry counts.
    fn uses_are_harmless(
        &self,
        name: &str,
        (key, text): (Option<&str>, &Text),
        range: std::ops::Range<usize>,
        seen: &mut Vec<String>,
    ) -> bool {
        let mark = format!("{name}@{}", range.start);
        if seen.contains(&mark) {
            return true;
        }
        seen.push(mark);
        let mut any = false;
        for at in range {
            match self.pieces.all.get(at) {
                Some(Piece::Word(word)) if names(word, name) && !self.is_binding(at) => {}
                // `f'{name}/x'`.
                Some(Piece::Literal(_, text)) if self.is_filled_with(text, name) => {}
                _ => continue,
            }
            any = true;
            if key.is_some_and(|key| self.is_other_entry(at, name, key)) {
                continue;
            }
            let mut span = Span::at(at, text.clone());
            let attributes = self.pieces.word(at).and_then(|word| after(word, name));
            let decided = attributes.and_then(|rest| self.called(rest, at, &mut span));
            if !decided.unwrap_or_else(|| self.harmless(span, seen)) {
                return false;
            }
        }
        any
    }

    /// Whether a name is put into a text, or may be where a text is run as code.
    fn is_filled_with(&self, text: &str, name: &str) -> bool {
        let evaluates = || {
            self.pieces.all.iter().any(|piece| matches!(piece, Piece::Word(word) if is_one_of(last_part(word), EVALUATING)))
        };
        names(text, name) && (text.contains(['{', '$', '#']) || evaluates())
    }

    /// `table['other']`, `table.other`.
    fn is_other_entry(&self, at: usize, name: &str, key: &str) -> bool {
        let entry = match self.pieces.mark(at + 1) {
            Some('[') if key.is_empty() => return true,
            Some('[') => self.pieces.text(at + 2),
            Some('(') => None,
            _ => self.pieces.word(at).and_then(|word| after(word, name)),
        };
        entry.is_some_and(|entry| entry.trim_start_matches('.') != key)
    }

    /// What is before an expression, up to its bracket or the begin of its statement.
    fn seat(&self, start: usize) -> Seat {
        let mut seat = Seat::default();
        let parent = self.pieces.parent(start);
        let in_block = parent.is_none_or(|open| self.pieces.is_block(open));
        let from = parent.map_or(0, |open| open + 1);
        // Only what is joined to it by signs is the begin of the same path.
        let mut begin = Some(start);
        for at in (from..start).rev() {
            if self.pieces.parent(at) != parent {
                continue;
            }
            match self.pieces.all.get(at) {
                Some(Piece::End(_)) if in_block => break,
                Some(Piece::Mark(',')) => {
                    seat.index += 1;
                    begin = begin.filter(|_| self.joins(parent));
                }
                Some(Piece::Mark('~')) if seat.index == 0 => seat.is_compared = true,
                Some(Piece::Mark('=')) if in_block => {
                    seat.names = self.names_before(at, parent);
                    break;
                }
                Some(Piece::Mark('=' | ':')) if seat.index == 0 && seat.label.is_none() => {
                    let before = at.wrapping_sub(1);
                    let label = self
                        .pieces
                        .word(before)
                        .or_else(|| self.pieces.text(before));
                    seat.label = label.map(str::to_owned);
                    begin = None;
                }
                Some(Piece::Word(word)) if matches!(word.as_str(), "in" | "of" | "as") => {
                    let names = self.names_before(at, parent);
                    let loops = self.follows_for(at, parent);
                    seat.is_compared |= !loops && word == "in" && seat.index == 0;
                    seat.loops = loops;
                    if loops {
                        seat.names = names;
                    }
                    break;
                }
                Some(Piece::Word(word)) if !word.contains('+') && word != "/" => begin = None,
                Some(Piece::Literal(_, text)) if begin.is_some() => {
                    seat.is_outside = (self.is_outside)(text);
                }
                _ => {}
            }
        }
        seat
    }

    /// The commas after an expression, up to the end of its brackets or its statement.
    fn commas_after(&self, end: usize) -> usize {
        let parent = self.pieces.parent(end);
        let rest = (end + 1..self.pieces.all.len()).filter(|at| self.pieces.parent(*at) == parent);
        let rest = rest.take_while(|at| {
            let is_last = Some(*at) == parent.map(|open| self.pieces.close(open));
            !is_last && !matches!(self.pieces.all.get(*at), Some(Piece::End(_)))
        });
        rest.filter(|at| self.pieces.mark(*at) == Some(',')).count()
    }

    /// Whether a bracket holds the parts of one path.
    fn joins(&self, open: Option<usize>) -> bool {
        let Some((open, callee)) = open.and_then(|open| Some((open, self.callee(open)?))) else {
            return false;
        };
        let template = open.checked_sub(2).and_then(|at| self.pieces.text(at));
        is_one_of(last_part(callee), "join joinpath resolve Path")
            || callee == ".format" && template.is_some_and(|template| template.starts_with("{}"))
    }

    /// The names before `=` or `in`, in the same statement.
    fn names_before(&self, sign: usize, parent: Option<usize>) -> Vec<String> {
        let mut found = Vec::new();
        for at in (0..sign).rev() {
            match self.pieces.all.get(at) {
                Some(Piece::Word(word)) if matches!(word.as_str(), "for" | "foreach" | "as") => {
                    break;
                }
                Some(Piece::Word(word)) if is_one_of(word, "const let var my local") => break,
                Some(Piece::Word(word)) => {
                    found.push(word.trim_start_matches(['$', '@', '*']).to_owned())
                }
                Some(Piece::Mark(',' | '(' | ')' | '[' | ']' | '{' | '}'))
                    if Some(at) != parent => {}
                // `path: str = …`.
                Some(Piece::Mark(':')) => found.clear(),
                // `a = b = …`: there may be more of them.
                Some(Piece::Mark('=')) => return Vec::new(),
                _ => break,
            }
        }
        found.reverse();
        found
    }

    fn follows_for(&self, at: usize, parent: Option<usize>) -> bool {
        let before = parent.and_then(|open| self.pieces.word(open.checked_sub(1)?));
        if matches!(before, Some("for" | "foreach")) {
            return true;
        }
        let before = (0..at).rev();
        let mut before = before.take_while(|at| {
            Some(*at) != parent
                && !matches!(
                    self.pieces.all.get(*at),
                    Some(Piece::End(_) | Piece::Mark('='))
                )
        });
        before.any(|at| matches!(self.pieces.word(at), Some("for" | "foreach")))
    }

    /// Whether a name is bound here: assigned to, looped over, or a parameter.
    fn is_binding(&self, at: usize) -> bool {
        let parent = self.pieces.parent(at);
        let around = std::iter::successors(parent, |open| self.pieces.parent(*open));
        let in_call = around.into_iter().any(|open| self.callee(open).is_some());
        let mut next = at + 1;
        let mut follows_word = true;
        loop {
            match self.pieces.all.get(next) {
                Some(Piece::Mark('=' | '>')) => return true,
                Some(Piece::Word(word)) if matches!(word.as_str(), "in" | "of") => {
                    return self.follows_for(next, self.pieces.parent(next));
                }
                Some(Piece::Mark(':')) if !in_call => {
                    return self.pieces.mark(next + 2) == Some('=');
                }
                Some(Piece::Mark(',')) if !in_call => follows_word = false,
                Some(Piece::Mark(')' | ']' | '}' | '(' | '[')) if !in_call => {}
                Some(Piece::Word(_)) if !follows_word => follows_word = true,
                _ => break,
            }
            next += 1;
        }
        let defines = |open: usize| {
            let name = open.checked_sub(2).and_then(|at| self.pieces.word(at));
            name.is_some_and(|word| is_one_of(word, DEFINING))
        };
        let before = at.checked_sub(1).and_then(|at| self.pieces.word(at));
        parent.is_some_and(defines)
            || before.is_some_and(|word| {
                is_one_of(word, "lambda import as") || is_one_of(word, DEFINING)
            })
    }

    /// What is called with the arguments in a bracket.
    fn callee(&self, open: usize) -> Option<&'a str> {
        let before = open.checked_sub(1)?;
        let word = self.pieces.word(before)?;
        let is_call = self.pieces.mark(open) == Some('(') && !is_one_of(word, NO_CALLS);
        (is_call && !word.ends_with(['+', '/'])).then_some(word)
    }

    /// What a function was called before it got another name: `o = open`, `{writeFileSync: w}`.
    fn original(&self, name: &'a str) -> &'a str {
        let alias = (0..self.pieces.all.len()).find_map(|at| {
            let ends = |at: usize| {
                let next = self.pieces.all.get(at);
                matches!(next, None | Some(Piece::End(_) | Piece::Mark(',' | '}')))
            };
            let (first, second) = (self.pieces.word(at)?, self.pieces.word(at + 2)?);
            if self.pieces.word(at + 1) == Some("as") && second == name {
                return Some(first);
            }
            match self.pieces.mark(at + 1)? {
                '=' if first == name && ends(at + 3) => Some(second),
                ':' if second == name && ends(at + 3) => Some(first),
                _ => None,
            }
        });
        alias.unwrap_or(name)
    }

    /// How many items a bracket holds.
    fn items(&self, open: usize) -> usize {
        let inside = open + 1..self.pieces.close(open);
        let commas = inside.filter(|at| {
            self.pieces.mark(*at) == Some(',') && self.pieces.parent(*at) == Some(open)
        });
        commas.count() + 1
    }

    /// Whether a mode among the arguments lets the file be written; one that is not known does.
    fn lets_write(&self, open: usize, first: usize) -> bool {
        let close = self.pieces.close(open);
        if close > open + MAX_OPENING {
            return true;
        }
        // `[write, append]`, `**arguments`.
        let lets =
            |word: &str| writes(last_part(word)) || word.starts_with('*') || word.contains("..");
        if (open + 1..close).any(|at| self.pieces.word(at).is_some_and(lets)) {
            return true;
        }
        let mut inside = (open + 1..close).filter(|at| self.pieces.parent(*at) == Some(open));
        inside.any(|at| {
            let seat = self.seat(at);
            let is_mode = match seat.label.as_deref() {
                Some(label) => label == "mode" || label == "flags",
                None => seat.index >= first,
            };
            let lets = |mode: &str| !is_one_of(mode, "r rb rt br U rU r:utf-8 < <:utf8");
            is_mode
                && match self.pieces.all.get(at) {
                    Some(Piece::Literal(_, mode)) => {
                        (seat.index == first || seat.label.is_some()) && lets(mode)
                    }
                    Some(Piece::Word(word)) if word.parse::<f64>().is_ok() => false,
                    Some(Piece::Word(word)) if self.pieces.mark(at + 1) != Some('=') => {
                        let known = self.modes_of(word);
                        !is_one_of(word, "None os.O_RDONLY O_RDONLY")
                            && (known.is_empty() || known.iter().any(|mode| lets(mode)))
                    }
                    _ => false,
                }
        })
    }

    /// The texts a name is bound to.
    fn modes_of(&self, name: &str) -> Vec<&str> {
        let bound = (0..self.pieces.all.len()).filter(|at| {
            self.pieces.word(*at) == Some(name) && self.pieces.mark(at + 1) == Some('=')
        });
        bound.filter_map(|at| self.pieces.text(at + 2)).collect()
    }

    /// The parameters of a function of the program, and where its body is.
    fn function(&self, name: &str) -> Option<(Vec<String>, usize, usize)> {
        (0..self.pieces.all.len()).find_map(|at| {
            let word = self.pieces.word(at)?;
            let next = self.pieces.word(at + 1);
            if word == "class" && next == Some(name) {
                let init = (at..self.pieces.all.len())
                    .find(|at| matches!(self.pieces.word(*at), Some("__init__" | "constructor")))?;
                let mut parameters = self.parameters(init + 1);
                parameters.retain(|parameter| parameter != "self");
                return Some((parameters, init, self.pieces.all.len()));
            }
            if is_one_of(word, DEFINING)
                && next == Some(name)
                && self.pieces.mark(at + 2) == Some('(')
            {
                return Some((self.parameters(at + 2), at, self.body_end(at)));
            }
            if word != name || self.pieces.mark(at + 1) != Some('=') {
                return None;
            }
            let (open, lambda) = (at + 2, self.pieces.word(at + 2));
            let parent = self.pieces.parent(at);
            let end = (at + 2..self.pieces.all.len())
                .find(|end| {
                    self.pieces.parent(*end) == parent
                        && matches!(self.pieces.all.get(*end), Some(Piece::End(_)))
                })
                .unwrap_or(self.pieces.all.len());
            if lambda == Some("lambda") {
                let colon = (open..end).find(|at| self.pieces.mark(*at) == Some(':'))?;
                let names = (open + 1..colon).filter_map(|at| self.pieces.word(at));
                return Some((names.map(str::to_owned).collect(), colon, end));
            }
            match (lambda, self.pieces.mark(open)) {
                (Some(one), _) if self.pieces.mark(open + 1) == Some('>') => {
                    Some((vec![one.to_owned()], open + 1, end))
                }
                (None, Some('(')) if self.pieces.mark(self.pieces.close(open) + 1) == Some('>') => {
                    Some((self.parameters(open), self.pieces.close(open), end))
                }
                _ => None,
            }
        })
    }

    fn parameters(&self, open: usize) -> Vec<String> {
        let inside = (open + 1..self.pieces.close(open)).filter(|at| {
            let begins = *at == open + 1 || self.pieces.mark(at - 1) == Some(',');
            begins && self.pieces.parent(*at) == Some(open)
        });
        let names = inside.filter_map(|at| self.pieces.word(at));
        names
            .map(|name| name.trim_start_matches(['$', '*']).to_owned())
            .collect()
    }

    /// Where the body of a function ends: with its bracket, or before a line that is indented no more.
    fn body_end(&self, at: usize) -> usize {
        let header = self.pieces.close(at + 2);
        if self.pieces.mark(header + 1) == Some('{') {
            return self.pieces.close(header + 1);
        }
        let line = (0..at).rev().find_map(|at| match self.pieces.all.get(at) {
            Some(Piece::End(indent)) => Some(*indent),
            _ => None,
        });
        let indent = line.unwrap_or(0);
        let ends = |at: &usize| match self.pieces.all.get(*at) {
            Some(Piece::End(next)) => {
                *next <= indent && !matches!(self.pieces.all.get(at + 1), Some(Piece::End(_)))
            }
            _ => false,
        };
        (header..self.pieces.all.len())
            .find(ends)
            .unwrap_or(self.pieces.all.len())
    }
}

/// Words that begin a function of the program.
const DEFINING: &str = "def fn func function sub";
/// Words before a bracket that call nothing.
const NO_CALLS: &str =
    "and assert await elif else for foreach if in is not of or return while yield const let var";

enum Role {
    Looked,
    /// Its value is that of the whole.
    Passed,
    Unknown,
}

impl Role {
    fn looked_if(is_looked_at: bool) -> Role {
        match is_looked_at {
            true => Role::Looked,
            false => Role::Unknown,
        }
    }
}

fn is_one_of_or_none(label: &str, labels: &str) -> bool {
    label.is_empty() || is_one_of(label, labels)
}

impl Span {
    fn at(at: usize, text: Text) -> Span {
        Span {
            start: at,
            end: at,
            item: None,
            key: None,
            lists: 0,
            text,
        }
    }
}

pub(super) fn last_part(name: &str) -> &str {
    name.rsplit(['.', '?', ':']).next().unwrap_or("")
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a word speaks of a name, alone or with something on it.
fn names(word: &str, name: &str) -> bool {
    let name = last_part(name);
    word.split(|c| !is_part_of_name(c)).any(|part| part == name)
}

/// What hangs on a name in a word: `.read_text` of `p.read_text`.
fn after<'w>(word: &'w str, name: &str) -> Option<&'w str> {
    let rest = word
        .trim_start_matches(['$', '@', '+', '*'])
        .strip_prefix(name)?;
    rest.starts_with('.').then_some(rest)
}
