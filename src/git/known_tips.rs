//! Where git tcr itself last put its refs: a file next to them, by which a seal that somebody
//! removed or replaced is told from one that was never there, and is put back.
//!
//! A line says what is about to be done, a second one that it was: between the two both hold.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use gix::ObjectId;

use super::refs::{self, Move, Pointer};
use super::repo::Repo;
use crate::error::{Error, Result};

/// Larger than this it is written anew with what still counts.
const LARGEST: usize = 32 * 1024;

/// How a ref stands to what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// As git tcr left it, or nothing is known.
    Sound,
    /// It was removed, or moved by somebody else. It was here.
    Disturbed(ObjectId),
}

fn path(repo: &Repo) -> PathBuf {
    repo.common_dir().join("tcr").join("tips")
}

/// Whether a ref is one that is written down.
fn is_known(name: &str) -> bool {
    name == refs::CONFIG
        || ["refs/tcr/state/", "refs/tcr/oracle/", "refs/heads/tcr/"]
            .iter()
            .any(|folder| name.starts_with(folder))
}

/// Says that refs are about to move.
pub(super) fn intend(repo: &Repo, moves: &[Move]) -> Result<()> {
    add(repo, '?', moves)
}

/// Says that they have moved.
pub(super) fn done(repo: &Repo, moves: &[Move]) -> Result<()> {
    add(repo, '=', moves)
}

fn add(repo: &Repo, sign: char, moves: &[Move]) -> Result<()> {
    let counts = |item: &&Move| is_known(&item.name) && item.is_effective();
    let mut lines = String::new();
    for item in moves.iter().filter(counts) {
        let target = match &item.new {
            Some(Pointer::Object(hex)) => hex.as_str(),
            Some(Pointer::Ref(_)) => continue,
            None => "-",
        };
        lines.push_str(&format!("{sign} {target} {}\n", item.name));
    }
    if lines.is_empty() {
        return Ok(());
    }
    let path = path(repo);
    let io = |error| Error::io("write", &path, error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(io)?;
    }
    let mut file = std::fs::File::options()
        .append(true)
        .create(true)
        .open(&path)
        .map_err(io)?;
    file.write_all(lines.as_bytes()).map_err(io)?;
    match file.metadata() {
        Ok(data) if sign == '=' && data.len() > LARGEST as u64 => shorten(repo),
        _ => Ok(()),
    }
}

/// What is known of one ref.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Known {
    /// Where it was put; none if it was taken away.
    at: Option<ObjectId>,
    /// Where it was about to go since.
    going: Vec<Option<ObjectId>>,
}

fn parse(text: &str) -> BTreeMap<String, Known> {
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(sign), Some(target), Some(name)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let target = match target {
            "-" => None,
            hex => match ObjectId::from_hex(hex.as_bytes()) {
                Ok(id) => Some(id),
                Err(_) => continue,
            },
        };
        let one = known.entry(name.to_owned()).or_default();
        match sign {
            "=" => {
                one.at = target;
                one.going.clear();
            }
            _ => one.going.push(target),
        }
    }
    known
}

fn read(repo: &Repo) -> BTreeMap<String, Known> {
    let text = std::fs::read(path(repo)).unwrap_or_default();
    parse(&String::from_utf8_lossy(&text))
}

fn shorten(repo: &Repo) -> Result<()> {
    let lines: String = read(repo)
        .into_iter()
        .filter_map(|(name, known)| Some(format!("= {} {name}\n", known.at?)))
        .collect();
    let path = path(repo);
    let io = |error| Error::io("write", &path, error);
    let beside = path.with_extension("new");
    std::fs::write(&beside, lines).map_err(io)?;
    std::fs::rename(&beside, &path).map_err(io)
}

/// Forgets refs that are gone with what they pointed at: nobody can put them back.
pub(crate) fn forget_lost(repo: &Repo) -> Result<()> {
    for (name, known) in read(repo) {
        let is_lost = known.at.is_some_and(|at| !repo.gix.has_object(at));
        if is_lost && refs::current(repo, &name)?.is_none() {
            let (old, new) = (known.at.map(Pointer::object), None);
            done(repo, &[Move { name, old, new }])?;
        }
    }
    Ok(())
}

/// Where a ref was put, or was about to go, the newest first.
pub(crate) fn places(repo: &Repo, name: &str) -> Vec<ObjectId> {
    let known = read(repo).remove(name).unwrap_or_default();
    let places = std::iter::once(known.at).chain(known.going);
    let mut places: Vec<ObjectId> = places.flatten().collect();
    places.reverse();
    places
}

/// How a ref that is `now` there stands to what is known of it.
pub(crate) fn standing(repo: &Repo, name: &str, now: Option<ObjectId>) -> Standing {
    match read(repo).get(name) {
        Some(known) => known.standing(now),
        None => Standing::Sound,
    }
}

impl Known {
    fn standing(&self, now: Option<ObjectId>) -> Standing {
        match self.at {
            Some(at) if now != Some(at) && !self.going.contains(&now) => Standing::Disturbed(at),
            _ => Standing::Sound,
        }
    }
}

/// Puts back a ref that was disturbed, and with it those of ours that are gone. What stood in its
/// place stays under `refs/tcr/retired/`. Returns whether there was anything to do.
pub(crate) fn put_back(repo: &Repo, name: &str) -> Result<bool> {
    let writer = super::ref_writer::RefWriter::new(repo)?;
    // Another git tcr may have moved it since it was looked at.
    let now = match refs::read(repo, name) {
        Ok(now) => now,
        // What can't even be read as a reference is in the way of the right one.
        Err(_) => {
            drop(std::fs::remove_file(repo.common_dir().join(name)));
            refs::read(repo, name)?
        }
    };
    let known = read(repo);
    let Some(Standing::Disturbed(at)) = known.get(name).map(|known| known.standing(now)) else {
        return Ok(false);
    };
    if !repo.gix.has_object(at) {
        return Err(Error::corrupt(name, "what it pointed at is gone"));
    }
    let mut moves = vec![Move {
        name: name.to_owned(),
        old: now.map(Pointer::object),
        new: Some(Pointer::object(at)),
    }];
    if let Some(foreign) = now.filter(|now| repo.gix.has_object(now)) {
        let kept = format!("refs/tcr/retired/foreign/{foreign}");
        if refs::read(repo, &kept)?.is_none() {
            moves.push(Move {
                name: kept,
                old: None,
                new: Some(Pointer::object(foreign)),
            });
        }
    }
    for (other, known) in known.iter().filter(|(other, _)| *other != name) {
        let Some(at) = known.at.filter(|at| repo.gix.has_object(at)) else {
            continue;
        };
        if refs::current(repo, other)?.is_none() {
            moves.push(Move {
                name: other.clone(),
                old: None,
                new: Some(Pointer::object(at)),
            });
        }
    }
    writer.apply(&moves, "git tcr: put back")?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(byte: u8) -> ObjectId {
        ObjectId::from_bytes_or_panic(&[byte; 20])
    }

    #[test]
    fn a_ref_is_disturbed_when_it_is_where_nobody_of_us_put_it() {
        let (one, two, other) = (id(1), id(2), id(9));
        let line = |sign: &str, id: Option<ObjectId>| match id {
            Some(id) => format!("{sign} {id} refs/tcr/config\n"),
            None => format!("{sign} - refs/tcr/config\n"),
        };
        let disturbed = |at| Standing::Disturbed(at);
        for (lines, now, expected) in [
            (vec![], None, None),
            (vec![("?", Some(one))], None, Some(Standing::Sound)),
            (vec![("?", Some(one))], Some(one), Some(Standing::Sound)),
            (
                vec![("?", Some(one)), ("=", Some(one))],
                Some(one),
                Some(Standing::Sound),
            ),
            (
                vec![("?", Some(one)), ("=", Some(one))],
                None,
                Some(disturbed(one)),
            ),
            (
                vec![("?", Some(one)), ("=", Some(one))],
                Some(other),
                Some(disturbed(one)),
            ),
            // Killed in between: both hold.
            (
                vec![("=", Some(one)), ("?", Some(two))],
                Some(one),
                Some(Standing::Sound),
            ),
            (
                vec![("=", Some(one)), ("?", Some(two))],
                Some(two),
                Some(Standing::Sound),
            ),
            (
                vec![("=", Some(one)), ("?", Some(two))],
                None,
                Some(disturbed(one)),
            ),
            (
                vec![("=", Some(one)), ("?", None)],
                None,
                Some(Standing::Sound),
            ),
            // Taken away by ourselves.
            (
                vec![("=", Some(one)), ("=", None)],
                None,
                Some(Standing::Sound),
            ),
        ] {
            let text: String = lines.iter().map(|(sign, id)| line(sign, *id)).collect();
            let known = parse(&text);
            let found = known
                .get("refs/tcr/config")
                .map(|known| known.standing(now));
            assert_eq!(found, expected, "{text} {now:?}");
        }
    }

    #[test]
    fn what_is_no_line_says_nothing() {
        assert!(parse("\n= x\n= zz refs/tcr/config\nrubbish").is_empty());
    }
}
