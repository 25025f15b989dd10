//! `gradle.properties` and `.npmrc`.

use super::entry::{Format, Key, Part, as_declared};
use super::pieces::{self, Piece};

/// How the build itself runs, and what its processes see.
const GRADLE: Names = Names {
    steering: &[
        "org.gradle.",
        "systemProp.",
        "kotlin.",
        "android.",
        "skipTests",
    ],
    others: Part::About,
};

/// What scripts run with; the rest says where packages come from.
const NPM: Names = Names {
    steering: &[
        "node-options",
        "script-shell",
        "shell",
        "ignore-scripts",
        "prefix",
        "node-version",
    ],
    others: Part::Dependencies,
};

pub(super) const GRADLE_PROPERTIES: Format = Format {
    read: |text| Ok(pieces::entries(&read(text, &GRADLE))),
    take: |base, from, keys| take(base, from, keys, &GRADLE),
    effect: as_declared,
};

pub(super) const NPMRC: Format = Format {
    read: |text| Ok(pieces::entries(&read(text, &NPM))),
    take: |base, from, keys| take(base, from, keys, &NPM),
    effect: as_declared,
};

/// What the names of properties mean.
struct Names {
    /// What names that steer begin with.
    steering: &'static [&'static str],
    others: Part,
}

fn take(base: &str, from: &str, keys: &[Key], names: &Names) -> Option<String> {
    let (ours, theirs) = (read(base, names), read(from, names));
    pieces::take((base, &ours), (from, &theirs), keys)
}

fn read(text: &str, names: &Names) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut goes_on = false;
    for (span, line) in pieces::lines(text) {
        let content = line.trim_start();
        if goes_on {
            goes_on = content.ends_with('\\');
            if let Some(last) = found.last_mut() {
                last.value.push_str(content.trim_end_matches('\\'));
                last.span.end = span.end;
            }
            continue;
        }
        if content.is_empty() || content.starts_with(['#', '!', ';']) {
            continue;
        }
        goes_on = content.ends_with('\\');
        let split = content.split_once(['=', ':', ' ']);
        let (name, value) = split.unwrap_or((content, ""));
        let is_steering = names.steering.iter().any(|start| name.starts_with(start));
        found.push(Piece {
            key: vec![name.trim().to_owned()],
            part: if is_steering {
                Part::Steering
            } else {
                names.others
            },
            value: value.trim_start().trim_end_matches('\\').to_owned(),
            span,
            alone: None,
            is_bound: false,
        });
    }
    pieces::number(&mut found);
    found
}
