//! `setup.cfg`, as Python's configparser reads it.

use super::Unreadable;
use super::entry::{Change, Format, Key, Part};
use super::pieces::{self, Piece};

use Part::{About, Dependencies, Steering};

pub(super) const SETUP_CFG: Format = Format {
    read: |text| Ok(pieces::entries(&read(text)?)),
    take,
    effect,
};

/// Sections that belong to runners and to what measures for them.
const STEERING_SECTIONS: &[&str] = &[
    "tool:pytest",
    "coverage:",
    "aliases",
    "nosetests",
    "unittest",
    "tox",
    "testenv",
    "behave",
    "test",
    "build_ext",
    "build_py",
    "develop",
    "coverage",
    "pytest",
];

const DEPENDENCY_OPTIONS: &[&str] = &[
    "install_requires",
    "tests_require",
    "setup_requires",
    "python_requires",
    "dependency_links",
];

fn part_of(section: &str, option: &str, value: &str) -> Part {
    match section {
        "options" if DEPENDENCY_OPTIONS.contains(&option) => Dependencies,
        "options" if ["package_dir", "cmdclass", "ext_modules"].contains(&option) => Steering,
        "options.extras_require" => Dependencies,
        "options.entry_points" if option == "pytest11" => Steering,
        "options" if option == "entry_points" && value.contains("pytest11") => Steering,
        _ if STEERING_SECTIONS
            .iter()
            .any(|start| section.starts_with(start)) =>
        {
            Steering
        }
        _ => About,
    }
}

fn effect(change: &Change<'_>) -> Part {
    change.part
}

fn read(text: &str) -> Result<Vec<Piece>, Unreadable> {
    let mut found: Vec<Piece> = Vec::new();
    let mut section: Option<String> = None;
    // Whether a line with blanks in front goes on with the option before it.
    let mut is_open = false;
    for (span, line) in pieces::lines(text) {
        let content = line.trim();
        if content.is_empty() || content.starts_with(['#', ';']) {
            continue;
        }
        if is_open && line.starts_with([' ', '\t']) {
            if let Some(last) = found.last_mut() {
                last.value.push('\n');
                last.value.push_str(content);
                last.span.end = span.end;
            }
        } else if let Some(name) = header(content) {
            section = Some(name.to_owned());
            is_open = false;
        } else {
            let Some(section) = &section else {
                return Err(Unreadable::at(text, span.start, "there is no section yet"));
            };
            let (option, value) = content.split_once(['=', ':']).ok_or_else(|| {
                Unreadable::at(text, span.start, "it is neither a section nor an option")
            })?;
            found.push(Piece {
                key: vec![section.clone(), option.trim().to_ascii_lowercase()],
                part: About,
                value: value.trim().to_owned(),
                span,
                alone: None,
                is_bound: false,
            });
            is_open = true;
        }
    }
    for piece in &mut found {
        if let [section, option] = piece.key.as_slice() {
            piece.part = part_of(section, option, &piece.value);
        }
    }
    pieces::number(&mut found);
    Ok(found)
}

fn header(line: &str) -> Option<&str> {
    let name = line.strip_prefix('[')?;
    Some(name.get(..name.find(']')?)?.trim())
}

/// Options that `base` lacks go behind the header of their section.
fn take(base: &str, from: &str, keys: &[Key]) -> Option<String> {
    let mut text = base.to_owned();
    let theirs = read(from).ok()?;
    for key in keys {
        let ours = read(&text).ok()?;
        let section = key.first()?;
        let has = |pieces: &[Piece]| pieces.iter().any(|piece| &piece.key == key);
        if has(&theirs) && !has(&ours) {
            let piece = theirs.iter().find(|piece| &piece.key == key)?;
            let option = from.get(piece.span.clone())?.trim_end();
            text = inserted(&text, section, option);
        } else {
            text = pieces::take((&text, &ours), (from, &theirs), std::slice::from_ref(key))?;
            let is_empty = |pieces: &[Piece]| pieces.iter().all(|p| p.key.first() != Some(section));
            if is_empty(&theirs) && is_empty(&read(&text).ok()?) {
                text = without_header(&text, section);
            }
        }
    }
    Some(text)
}

fn inserted(text: &str, section: &str, option: &str) -> String {
    let place = pieces::lines(text).find(|(_, line)| header(line.trim()) == Some(section));
    match place {
        Some((span, line)) if span.len() > line.len() => {
            let (before, after) = text.split_at_checked(span.end).unwrap_or((text, ""));
            format!("{before}{option}\n{after}")
        }
        Some(_) => format!("{text}\n{option}\n"),
        None => format!("{}\n\n[{section}]\n{option}\n", text.trim_end()),
    }
}

fn without_header(text: &str, section: &str) -> String {
    text.split_inclusive('\n')
        .filter(|line| header(line.trim()) != Some(section))
        .collect()
}
