//! Languages whose build tool runs the tests.

use crate::runners::project::{Offer, Place, Strength};

/// A language whose tests are run by one command if one of its files is there.
struct Plain {
    language: &'static str,
    files: &'static [&'static str],
    command: &'static str,
}

const fn plain(
    language: &'static str,
    files: &'static [&'static str],
    command: &'static str,
) -> Plain {
    Plain {
        language,
        files,
        command,
    }
}

/// The files are names right in the folder; `*` at the start stands for anything.
#[rustfmt::skip]
const PLAIN: &[Plain] = &[
    plain("gleam", &["gleam.toml"], "gleam test"),
    plain("haskell", &["stack.yaml"], "stack test"),
    plain("haskell", &["cabal.project", "*.cabal"], "cabal test all"),
    plain("scala", &["build.sbt"], "sbt test"),
    plain("scala", &["build.mill", "build.sc"], "mill __.test"),
    plain("clojure", &["project.clj"], "lein test"),
    plain("zig", &["build.zig"], "zig build test"),
    plain("crystal", &["shard.yml"], "crystal spec"),
    plain("nim", &["*.nimble"], "nimble test"),
    plain("d", &["dub.json", "dub.sdl"], "dub test"),
    plain("elm", &["elm.json"], "npx elm-test"),
    plain("purescript", &["spago.yaml", "spago.dhall"], "spago test"),
    plain("fortran", &["fpm.toml"], "fpm test"),
    plain("v", &["v.mod"], "v test ."),
    plain("solidity", &["foundry.toml"], "forge test"),
    plain("racket", &["info.rkt"], "raco test ."),
];

pub(super) fn find(place: &Place<'_>, out: &mut Vec<Offer>) {
    dart(place, out);
    clojure_deps(place, out);
    let names = place.list("");
    for known in PLAIN {
        let fits = |name: &&String| known.files.iter().any(|file| fits(file, name));
        if let Some(file) = names.iter().find(fits) {
            out.push(Offer::by_default(known.language, known.command, file));
        }
    }
    c(place, out);
    whole_repository_builds(place, out);
    scripting(place, out);
}

fn fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(end) => name.ends_with(end),
        None => name == pattern,
    }
}

fn dart(place: &Place<'_>, out: &mut Vec<Offer>) {
    if let Some(text) = place.read("pubspec.yaml") {
        let command = match text.contains("sdk: flutter") {
            true => "flutter test",
            false => "dart test",
        };
        out.push(Offer::by_default("dart", command, "pubspec.yaml"));
    }
}

fn clojure_deps(place: &Place<'_>, out: &mut Vec<Offer>) {
    if place.mentions("deps.edn", ":test") {
        out.push(Offer::by_default("clojure", "clojure -X:test", "deps.edn"));
    }
}

fn c(place: &Place<'_>, out: &mut Vec<Offer>) {
    if let Some(file) = place.first(&["configure.ac", "Makefile.am"]) {
        out.push(Offer::by_default("c", "make check", file));
    }
}

/// Build tools that run the tests of every language in the repository.
fn whole_repository_builds(place: &Place<'_>, out: &mut Vec<Offer>) {
    let bazel = ["MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"];
    let tools = [
        (place.first(&bazel), "bazel test //..."),
        (place.first(&["pants.toml"]), "pants test ::"),
    ];
    for (file, command) in tools {
        if let Some(file) = file {
            let why = format!("`{file}`");
            out.push(Offer::new(Strength::FrontDoor, None, command, why, file).covering_all());
        }
    }
}

fn scripting(place: &Place<'_>, out: &mut Vec<Offer>) {
    if place.exists("Project.toml") && place.exists("test/runtests.jl") {
        let command = "julia --project -e 'using Pkg; Pkg.test()'";
        out.push(Offer::by_default("julia", command, "Project.toml"));
    }
}
