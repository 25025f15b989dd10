//! The output of programs that run tasks of several packages at once, and put the name of the package in
//! front of each line.

use std::borrow::Cow;

use crate::runners::command::Found;
use crate::runners::formats::plain;

/// What each package printed, one after the other and without the names; the rest stands before it.
pub(super) fn by_package<'t>(text: &'t str, found: &[Found]) -> Cow<'t, str> {
    let mut prefixes: Vec<&str> = (found.iter().filter_map(|one| one.package.as_ref()))
        .map(|package| package.prefix.as_str())
        .collect();
    prefixes.sort_unstable();
    prefixes.dedup();
    if prefixes.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut own = String::new();
    let mut packages = vec![String::new(); prefixes.len()];
    for line in plain(text).split_inclusive('\n') {
        let of_package = prefixes
            .iter()
            .zip(&mut packages)
            .find_map(|(prefix, printed)| {
                // Where there is nothing to say, some leave the blank out.
                let rest = line.strip_prefix(prefix).or_else(|| {
                    let rest = line.strip_prefix(prefix.trim_end())?;
                    (rest.trim_end().is_empty()).then_some(rest)
                })?;
                Some((printed, rest))
            });
        match of_package {
            Some((printed, rest)) => printed.push_str(rest),
            None => own.push_str(line),
        }
    }
    Cow::Owned(own + &packages.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runners::command::{Package, PackageRunner};
    use crate::runners::named;

    fn bun() -> Found {
        Found::of(named("bun test").expect("it is on the shelf"))
    }

    #[test]
    fn lines_of_packages_are_put_together() {
        let found: Vec<Found> = ["a:test: ", "@x/b:test: ", "a:test: "]
            .map(|prefix| Found {
                package: Some(Package {
                    by: PackageRunner::Turbo,
                    prefix: prefix.to_owned(),
                    lets_end: None,
                }),
                ..bun()
            })
            .into();
        let text = "Running test\na:test: 1\n@x/b:test: 3\na:test:\n\x1b[36ma:test: \x1b[0m2\na:testing: x\n@x/b:test: 4\n";
        assert_eq!(
            by_package(text, &found),
            "Running test\na:testing: x\n3\n4\n1\n\n2\n"
        );
        assert_eq!(by_package(text, &[bun()]), text);
    }
}
