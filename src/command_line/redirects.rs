//! Redirections: what they open for writing and what they feed to the command.

use brush_parser::ast;

use super::effect::Content;
use super::here_documents;
use super::paths::Place;
use super::scope::Shell;
use super::stream::Stream;
use super::text;

/// A file a redirection opens for writing. It is looked up before the command runs and reported
/// after, when what the command prints is known.
pub(super) struct OpenedFile {
    place: Place,
    takes_output: bool,
    appends: bool,
}

/// What the redirections of one command do.
#[derive(Default)]
pub(super) struct Redirections<'c> {
    pub(super) input: Option<Stream<'c>>,
    pub(super) opened: Vec<OpenedFile>,
    /// Descriptors opened for reading, and the files behind them.
    pub(super) read: Vec<(ast::IoFd, String)>,
    /// `>!` and `>>!`: in zsh the next word is the file.
    pub(super) next_word_is_file: bool,
}

const HOW: &str = "redirection";

impl<'c> Shell<'c> {
    pub(super) fn redirect(
        &mut self,
        redirect: &ast::IoRedirect,
        redirections: &mut Redirections<'c>,
    ) {
        match redirect {
            ast::IoRedirect::File(number, kind, target) => {
                self.redirect_file(*number, kind, target, redirections);
            }
            ast::IoRedirect::OutputAndError(word, append) => {
                self.open(&word.value, true, *append, redirections);
            }
            ast::IoRedirect::HereString(_, word) => {
                let text = match here_documents::number(&word.value) {
                    Some(number) => self.here_document(number),
                    None => self.expand_to_text(&word.value) + "\n",
                };
                redirections.input = Some(Stream::Text(text));
            }
            ast::IoRedirect::HereDocument(_, document) => {
                let text = if document.requires_expansion {
                    self.expand_quoted(&document.doc.value)
                } else {
                    document.doc.value.clone()
                };
                redirections.input = Some(Stream::Text(text));
            }
        }
    }

    fn here_document(&mut self, number: usize) -> String {
        let document = self.session.documents.borrow().get(number).cloned();
        match document {
            Some(document) if document.expands => self.expand_quoted(&document.text),
            Some(document) => document.text,
            None => text::unknown(),
        }
    }

    fn redirect_file(
        &mut self,
        number: Option<ast::IoFd>,
        kind: &ast::IoFileRedirectKind,
        target: &ast::IoFileRedirectTarget,
        redirections: &mut Redirections<'c>,
    ) {
        use ast::IoFileRedirectKind as Kind;
        let takes_output = matches!(number, None | Some(1));
        match target {
            ast::IoFileRedirectTarget::ProcessSubstitution(_, subshell) => {
                let output = self.clone().run_list(&subshell.list).output;
                if matches!(kind, Kind::Read) {
                    redirections.input = Some(output);
                }
            }
            ast::IoFileRedirectTarget::Fd(_) => {}
            ast::IoFileRedirectTarget::Filename(word) => match kind {
                Kind::Read | Kind::DuplicateInput => {
                    let names = self.expand(&word.value);
                    let known = names.first().and_then(|name| self.stream_of(name));
                    redirections.input = Some(known.unwrap_or_else(Stream::unknown));
                    if let (Some(number), Some(name)) = (number, names.first()) {
                        redirections.read.push((number, name.clone()));
                    }
                }
                Kind::Append => self.open(&word.value, takes_output, true, redirections),
                Kind::Write | Kind::Clobber => {
                    self.open(&word.value, takes_output, false, redirections);
                }
                Kind::ReadAndWrite | Kind::DuplicateOutput => {
                    self.open(&word.value, false, false, redirections);
                }
            },
            ast::IoFileRedirectTarget::Duplicate(word) => {
                let is_descriptor = |name: &str| {
                    name.trim_end_matches('-')
                        .bytes()
                        .all(|b| b.is_ascii_digit())
                };
                // `>&word` with a word that is no number opens a file for both streams.
                if matches!(kind, Kind::DuplicateOutput) && !is_descriptor(&word.value) {
                    self.open(&word.value, true, false, redirections);
                }
            }
        }
    }

    fn open(
        &mut self,
        word: &str,
        takes_output: bool,
        appends: bool,
        redirections: &mut Redirections<'c>,
    ) {
        redirections.next_word_is_file |= word == "!";
        for name in self.expand(word) {
            if name.bytes().all(|b| b.is_ascii_digit()) && word.starts_with('$') {
                continue;
            }
            for line in name.split('\n').filter(|line| !line.is_empty()) {
                redirections.opened.push(OpenedFile {
                    place: self.place(line, true),
                    takes_output,
                    appends,
                });
            }
        }
    }

    /// Reports the files that were opened; gives back what is left of the output.
    pub(super) fn close(&self, opened: Vec<OpenedFile>, output: Stream<'c>) -> Stream<'c> {
        let mut redirected = false;
        for file in opened {
            redirected |= file.takes_output;
            if file.takes_output {
                self.remember(&file.place, output.clone(), file.appends);
            }
            let text = output.known().filter(|_| file.takes_output);
            let content = text.map(|text| match file.appends {
                true => Content::Appended(text.to_owned()),
                false => Content::Whole(text.to_owned()),
            });
            self.write_place(file.place, HOW, content);
        }
        if redirected { Stream::empty() } else { output }
    }
}
