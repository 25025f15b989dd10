//! Code of languages that nobody here reads: the paths it speaks of where it also writes, and the
//! commands it runs. Only the words are looked at: a word that reads keeps what follows it out.

use super::super::{decode, limits, text};
use super::pieces::{Piece, Pieces};
use super::roles::{Roles, last_part};
use crate::command_line::text::is_one_of;

/// What code for any interpreter speaks of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Spoken {
    /// Whether some word of it writes, removes or renames.
    pub(in super::super) writes: bool,
    /// Whether it puts files of any name into the folders it speaks of.
    pub(in super::super) unpacks: bool,
    /// Paths that no reading word comes before.
    pub(in super::super) paths: Vec<String>,
    /// Whatever may be a path, read or not.
    pub(in super::super) named: Vec<String>,
    /// The brackets outside of its texts.
    pub(in super::super) brackets: String,
    /// What it may hand to a shell.
    pub(in super::super) commands: Vec<String>,
    /// What it surely hands to a shell.
    pub(in super::super) scripts: Vec<String>,
    /// Paths it writes after it went to another folder.
    pub(in super::super) elsewhere: Vec<String>,
    /// What it may put into which file.
    pub(in super::super) contents: Vec<(String, String)>,
}

/// Beginnings of words that write, remove or rename.
const WRITING: &str = "append chmod copy creat delet eras extract link mkfifo mov output persist remov renam retriev sav \
     spit spurt symlink touch trunc unlink unpack writ";
/// Words that do so as they stand.
const WRITING_WORDS: &str = "cat cp del dump mkdir mv ni inplace once out put rd urlretrieve ren ri rm rmdir rmtree sc sink tee update w";
/// Endings of compound words that do so: `Set-Content`, `with-temp-file`, `display-to-file`.
const WRITING_PAIRS: &[(&str, &str)] = &[
    ("add", "content"),
    ("clear", "content"),
    ("new", "item"),
    ("set", "content"),
    ("temp", "file"),
    ("to", "file"),
    ("delete", "buffer"),
];
/// Words that run a command.
const RUNNING: &str = "call cmd command exec execute iex invoke popen process program qx run script sh shell \
     spawn start system";
/// Words that only look at what follows them.
const READING: &str = "assert buffer child content contents count display displayln exists from gc grep \
     host include insert into length lines list load message parse princ print printf \
     println puts read recurse require search select slurp source stat table test";
/// Words that make a path of what follows them.
const NAMING: &str = "at file files find get io java new nio of path pathname paths raw url";
/// Modes that open a file for writing.
const MODES: &str = "+< +> > >> a a+ ab at r+ r+b rb+ w w+ wb wt x";

/// Calls that run a text as code of the same language.
pub(super) const EVALUATING: &str = "Function compile eval exec runInThisContext";
/// Calls that change the folder that later paths start from.
const ENTERING: &str = "Dir.chdir chdir os.chdir process.chdir";

/// Pieces between a word and the path it is about.
const MAX_BETWEEN: usize = 50;
/// How deep code may run code.
const MAX_DEPTH: usize = 3;

/// What code speaks of; `is_outside` knows the paths that are none of the repository.
pub(in super::super) fn spoken(code: &str, is_outside: &dyn Fn(&str) -> bool) -> Spoken {
    let mut found = Spoken::default();
    speak(code, is_outside, MAX_DEPTH, &mut found);
    found
}

fn speak(code: &str, is_outside: &dyn Fn(&str) -> bool, depth: usize, found: &mut Spoken) {
    let pieces = Pieces::of(code);
    found.brackets.extend(pieces.brackets());
    if limits::check_program(found.brackets.chars()).is_err() {
        return;
    }
    found.writes |= pieces.all.iter().any(|piece| match piece {
        Piece::Literal(_, text) => is_one_of(text, MODES) || text.starts_with('>'),
        piece => is_word(piece, writes),
    });
    let unpacks = |word: &str| word.contains("extract") || word.contains("unpack");
    found.unpacks |= pieces.all.iter().any(|piece| is_word(piece, unpacks));
    let mut verbs = pieces.all.iter().filter(|piece| is_word(piece, writes));
    let mut reader = Reader {
        pieces: &pieces,
        roles: Roles::new(&pieces, is_outside),
        is_outside,
        depth,
        decodes: ["decode", "64", "hex", "atob"]
            .iter()
            .any(|word| code.contains(word)),
        only_copies: verbs.all(|verb| is_word(verb, copies)),
        runs: pieces.all.iter().any(|piece| is_word(piece, runs_command)),
        folder: String::new(),
    };
    for (at, piece) in pieces.all.iter().enumerate() {
        match piece {
            Piece::Word(word) => reader.word(at, word, found),
            Piece::Literal(quote, text) => {
                found
                    .commands
                    .extend(Some(text.clone()).filter(|_| *quote == '`'));
                found.named.push(text.clone());
                reader.text(at, text, found);
            }
            Piece::Mark('(' | '[') => reader.bracket(at, found),
            Piece::Mark(_) | Piece::End(_) => {}
        }
    }
    found.paths.extend(reader.roles.made.take());
    for line in pieces.all.split(|piece| matches!(piece, Piece::End(_))) {
        reader.line(line, found);
    }
}

fn is_word(piece: &Piece, wanted: impl Fn(&str) -> bool) -> bool {
    matches!(piece, Piece::Word(word) if wanted(word))
}

/// What is known about a program while it is read.
struct Reader<'a> {
    pieces: &'a Pieces,
    roles: Roles<'a>,
    is_outside: &'a dyn Fn(&str) -> bool,
    depth: usize,
    /// Some of its texts may be encoded.
    decodes: bool,
    /// All it writes are copies: of `[from => to]` the first is read.
    only_copies: bool,
    /// It runs commands.
    runs: bool,
    /// Where it went.
    folder: String,
}

impl Reader<'_> {
    fn before(&self, at: usize) -> &[Piece] {
        self.pieces.all.get(..at).unwrap_or(&[])
    }

    fn word(&mut self, at: usize, word: &str, found: &mut Spoken) {
        if is_one_of(word, ENTERING) {
            self.folder = match self.pieces.text(at + 2) {
                Some(into) => self.below(into),
                None => text::unknown(),
            };
        }
        let before = self.before(at);
        let may_be_path = !word.starts_with('-') && (word.contains('/') || follows_writing(before));
        if may_be_path && !is_read(before) {
            found.paths.push(self.below(word));
        }
        if word.contains('/') {
            found.named.push(word.to_owned());
        }
    }

    fn text(&self, at: usize, text: &str, found: &mut Spoken) {
        let before = self.before(at);
        let decoded = || decode::base64(text).or_else(|| decode::hexadecimal(text));
        let decoded = Some(()).filter(|()| self.decodes).and_then(|()| decoded());
        let runs_code =
            |piece: &Piece| is_word(piece, |word| is_one_of(last_part(word), EVALUATING));
        if self.depth > 0 && before.iter().rev().take(MAX_BETWEEN).any(runs_code) {
            let code = decoded.as_deref().unwrap_or(text);
            speak(code, self.is_outside, self.depth - 1, found);
        }
        let enters = at >= 2
            && self
                .pieces
                .word(at - 2)
                .is_some_and(|word| is_one_of(word, ENTERING));
        let is_source = self.only_copies && self.pieces.mark(at + 1) == Some('>');
        let is_prose = text.is_empty() || text.contains('\n');
        if enters || is_prose || is_source || self.roles.is_harmless(at) {
            return;
        }
        found.paths.extend(decoded.map(|path| self.below(&path)));
        if text.contains(char::is_whitespace) || is_read(before) {
            return;
        }
        found.writes |= is_name(text) && writes(text);
        let path = text.trim_start_matches('>');
        match self.folder.is_empty() {
            true => found.paths.push(path.to_owned()),
            false => found.elsewhere.push(self.below(path)),
        }
    }

    /// A call or a list: what is in it may be a command.
    fn bracket(&self, at: usize, found: &mut Spoken) {
        if !self.runs {
            return;
        }
        let callee = at
            .checked_sub(1)
            .and_then(|before| self.pieces.word(before));
        if let (Some(callee), Some(script)) = (callee, self.pieces.text(at + 1))
            && is_one_of(last_part(callee), "system popen")
        {
            found.scripts.push(script.to_owned());
        }
        let words = self.pieces.texts(at, self.pieces.close(at));
        self.commands(&words, found);
    }

    fn line(&self, line: &[Piece], found: &mut Spoken) {
        let texts = line.iter().filter_map(|piece| match piece {
            Piece::Literal(_, text) => Some(text.as_str()),
            _ => None,
        });
        let texts: Vec<&str> = texts.collect();
        if line.iter().any(|piece| is_word(piece, runs_command)) {
            self.commands(&texts, found);
        }
        // `open(path, 'w').write(text)`.
        if let [path, .., text] = texts.as_slice()
            && line.iter().any(|piece| is_word(piece, writes))
        {
            found.contents.push((self.below(path), (*text).to_owned()));
        }
    }

    /// Each text may be a command, and all of them the words of one.
    fn commands(&self, texts: &[&str], found: &mut Spoken) {
        let joined = Some(texts.join(" ")).filter(|_| texts.len() > 1);
        let texts = texts.iter().map(|text| (*text).to_owned()).chain(joined);
        for text in texts.filter(|text| text.contains(' ')) {
            let command = match self.folder.as_str() {
                "" => text,
                folder => format!("cd '{folder}' && {text}"),
            };
            if !found.commands.contains(&command) {
                found.commands.push(command);
            }
        }
    }

    /// A path from where the program is.
    fn below(&self, path: &str) -> String {
        match self.folder.is_empty() || path.starts_with(['/', '~']) {
            true => path.to_owned(),
            false => format!("{}/{path}", self.folder),
        }
    }
}

/// `System.IO` is no call of `system`.
fn runs_command(word: &str) -> bool {
    let parts = parts(word);
    let last = parts.len().saturating_sub(1);
    let runs =
        |(at, part): (usize, &String)| is_one_of(part, RUNNING) && (part != "system" || at == last);
    parts.iter().enumerate().any(runs)
}

/// The last word before that says what is done, past those that only name or are options.
fn last_verb(before: &[Piece]) -> Option<&str> {
    before
        .iter()
        .rev()
        .take(MAX_BETWEEN)
        .find_map(|piece| match piece {
            Piece::End(_) => Some(""),
            Piece::Word(word) if word.starts_with('-') => None,
            Piece::Word(word) => {
                let names = parts(word).iter().all(|part| is_one_of(part, NAMING));
                (!names).then_some(word.as_str())
            }
            Piece::Literal(..) | Piece::Mark(_) => None,
        })
}

/// Whether a name says that what bears it reads: `Get-Content`, `read_file`.
pub(in super::super) fn reads(name: &str) -> bool {
    let parts = parts(name);
    let reads = |part: &String| part == "get" || is_one_of(part, READING);
    parts.len() > 1 && parts.first().is_some_and(reads) && !writes(name)
}

/// Whether what comes next is only looked at: after a word that reads, or as what is copied.
fn is_read(before: &[Piece]) -> bool {
    let last = before
        .iter()
        .rev()
        .find(|piece| !matches!(piece, Piece::Mark(_)));
    if let Some(Piece::Word(verb)) = last
        && copies(verb)
    {
        return true;
    }
    last_verb(before).is_some_and(|verb| {
        !writes(verb) && parts(verb).iter().any(|part| is_one_of(part, READING))
    })
}

fn follows_writing(before: &[Piece]) -> bool {
    last_verb(before).is_some_and(|verb| verb == ">" || writes(verb))
}

/// Whether a text may be the name of a function.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn copies(verb: &str) -> bool {
    parts(verb)
        .last()
        .is_some_and(|part| part.starts_with("copy") || part == "cp")
}

pub(super) fn writes(word: &str) -> bool {
    // Of `psql`.
    if matches!(word, "\\o" | "\\g" | "\\w") {
        return true;
    }
    let parts = parts(word);
    let output =
        word.eq_ignore_ascii_case("write-output") || word.eq_ignore_ascii_case("write-host");
    let writes = |part: &String| {
        is_one_of(part, WRITING_WORDS)
            || WRITING
                .split_whitespace()
                .any(|stem| part.starts_with(stem))
    };
    let pairs = || {
        parts
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if WRITING_PAIRS.contains(&(a.as_str(), b.as_str()))))
    };
    !output && (parts.iter().any(writes) || pairs())
}

/// The parts of `writeTextFile`, `delete-file`, `File.rm!`, in lower case.
fn parts(word: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in word.chars() {
        let starts = !before.is_alphanumeric() || c.is_uppercase() && !before.is_uppercase();
        before = c;
        if !c.is_alphanumeric() {
            continue;
        }
        match found.last_mut().filter(|_| !starts) {
            Some(part) => part.extend(c.to_lowercase()),
            None => found.push(c.to_lowercase().collect()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_apart() {
        assert_eq!(parts("writeTextFile"), ["write", "text", "file"]);
        assert_eq!(parts("IO.File.rm!"), ["io", "file", "rm"]);
        assert_eq!(parts("delete-file"), ["delete", "file"]);
    }

    /// Whether the path in a program may be written.
    fn may_be_written(code: &str) -> bool {
        let found = spoken(code, &|path| path.starts_with("/tmp/"));
        found.writes && found.paths.iter().any(|path| path == "tests/a")
    }

    #[test]
    fn a_path_that_may_be_written_is_no_path_that_is_read() {
        for code in [
            "f = 'tests/a'; print(f); open(f, 'w')",
            "open('tests/a', mode='w')",
            "open('tests/a', *['w'])",
            "open(**{'file': 'tests/a', 'mode': 'w'})",
            "m = 'w'; open('tests/a', f'{m}')",
            "x = y = 'tests/a'; print(y); os.remove(x)",
            "def f(p='tests/a'): os.remove(p)\nf()",
            "o = os.remove; o('tests/a')",
            "from os import remove as o; o('tests/a')",
            "def note(p): os.remove(p)\nnote('tests/a')",
            "c = {'a': {'b': 'tests/a'}}; os.remove(c['a']['b'])",
            "l = [{'p': 'tests/a'}]\nfor e in l: os.remove(e['p'])",
            "fs.rmSync(...['tests/a'])",
            "l = [['x', 'tests/a']]; for (const [s, p] of l) { fs.writeFileSync(p, s) }",
            "a, b = ('x', 'tests/a'), 1; print(b); os.remove(a[1])",
            "a, b = [('x', 'tests/a'), ('y', 'z')]; print(b); os.remove(a[1])",
            "for a, b in [(('x', 'tests/a'), 1)]: print(b); os.remove(a[1])",
            "shutil.copy(dst='tests/a', src='x')",
            "FileUtils.rm_rf ['tests/a']",
            "p = 'tests/a'; print(p); exec('os.remove(p)')",
            "p = 'tests/a'; print(p); open(f'{p}', 'w')",
            "unlink $p and $x = 1 if $p = 'tests/a'",
            "os.remove('/tmp/x' if a else 'tests/a')",
            "l = []; l.append('tests/a')\nfor f in l: os.remove(f)",
            "a.p = 'tests/a'; b = a; print(a.p); os.remove(b.p)",
        ] {
            assert!(may_be_written(code), "{code}");
        }
    }

    #[test]
    fn a_path_that_is_only_read_may_be_spoken_of() {
        for code in [
            "open('/tmp/x', 'w').write(open('tests/a').read())",
            "s = open('tests/a', encoding='utf-8').read(); open('x', 'w').write(s)",
            "p = Path('tests/a'); q.write_text(p.read_text())",
            "shutil.copy('tests/a', '/tmp/x')",
            "if name == 'tests/a': os.remove('x')",
            "msg = 'no %s' % 'tests/a'; open('log', 'w').write(msg)",
            "with open('tests/a') as f, open('x', 'w') as g: g.write(f.read())",
            "os.remove('/tmp/' + 'tests/a')",
            "c = {'in': 'tests/a', 'out': 'x'}; open(c['out'], 'w').write(open(c['in']).read())",
        ] {
            assert!(!may_be_written(code), "{code}");
        }
    }

    #[test]
    fn what_is_written_and_what_is_read() {
        for (code, writes, paths) in [
            ("(delete-file \"tests/a\")", true, vec!["tests/a"]),
            ("(read-file \"tests/a\")", false, vec![]),
            ("file delete -force tests", true, vec!["tests"]),
            ("Files.readString(Path.of(\"tests/a\"))", false, vec![]),
            ("open(\"a/b\", \"w\")", true, vec!["a/b", "w"]),
        ] {
            let found = spoken(code, &|_| false);
            let found = (found.writes, found.paths);
            assert_eq!(
                found,
                (writes, paths.into_iter().map(str::to_owned).collect()),
                "{code}"
            );
        }
    }
}
