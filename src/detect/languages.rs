//! Languages whose build tool runs the tests.

use super::members::go_modules;
use super::tree::Place;
use super::{Found, Strength};

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
    plain("elixir", &["mix.exs"], "mix test"),
    plain("erlang", &["rebar.config"], "rebar3 eunit"),
    plain("gleam", &["gleam.toml"], "gleam test"),
    plain("ocaml", &["dune-project"], "dune test"),
    plain("haskell", &["stack.yaml"], "stack test"),
    plain("haskell", &["cabal.project", "*.cabal"], "cabal test all"),
    plain("swift", &["Package.swift"], "swift test"),
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

pub(super) fn find(place: &Place<'_>, out: &mut Vec<Found>) {
    rust(place, out);
    go(place, out);
    ruby(place, out);
    php(place, out);
    jvm(place, out);
    dotnet(place, out);
    dart(place, out);
    clojure_deps(place, out);
    let names = place.list("");
    for known in PLAIN {
        let fits = |name: &&String| known.files.iter().any(|file| fits(file, name));
        if let Some(file) = names.iter().find(fits) {
            out.push(by_default(known.language, known.command, file));
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

fn by_default(language: &'static str, command: impl Into<String>, file: &str) -> Found {
    let why = format!("`{file}`");
    Found::new(Strength::Default, Some(language), command, why, file)
}

fn configured(language: &'static str, command: impl Into<String>, file: &str) -> Found {
    let why = format!("`{file}`");
    Found::new(Strength::Configured, Some(language), command, why, file)
}

fn rust(place: &Place<'_>, out: &mut Vec<Found>) {
    let Some(manifest) = place.toml("Cargo.toml") else {
        return;
    };
    let all = if manifest.contains_key("workspace") {
        " --workspace"
    } else {
        ""
    };
    // A failing target must not hide what the others say.
    let all = format!("{all} --no-fail-fast");
    let nextest = ".config/nextest.toml";
    if place.exists(nextest) && (place.has_program)("cargo-nextest") {
        out.push(configured(
            "rust",
            format!("cargo nextest run{all}"),
            nextest,
        ));
    }
    out.push(by_default("rust", format!("cargo test{all}"), "Cargo.toml"));
}

fn go(place: &Place<'_>, out: &mut Vec<Found>) {
    // Patterns do not cross from one module of a workspace into the next.
    let modules = go_modules(place);
    if !modules.is_empty() {
        let patterns: String = modules
            .iter()
            .map(|module| {
                if module == "." {
                    " ./...".to_owned()
                } else {
                    format!(" ./{module}/...")
                }
            })
            .collect();
        out.push(configured("go", format!("go test{patterns}"), "go.work"));
    } else if place.exists("go.mod") {
        out.push(by_default("go", "go test ./...", "go.mod"));
    }
}

fn ruby(place: &Place<'_>, out: &mut Vec<Found>) {
    let bundle = if place.exists("Gemfile") {
        "bundle exec "
    } else {
        ""
    };
    if place.exists(".rspec") {
        out.push(configured("ruby", format!("{bundle}rspec"), ".rspec"));
    } else if has_named(place, "spec", "_spec.rb") {
        out.push(by_default("ruby", format!("{bundle}rspec"), "spec"));
    }
    let tests = place.exists("test/test_helper.rb")
        || has_named(place, "test", "_test.rb")
        || has_prefixed(place, "test", "test_", ".rb");
    if place.exists("bin/rails") && tests {
        out.push(by_default("ruby", "bin/rails test", "bin/rails"));
    } else if let (Some(file), true) = (place.first(&["Rakefile", "rakefile"]), tests) {
        out.push(by_default("ruby", format!("{bundle}rake test"), file));
    } else if tests {
        let all = r#"-Ilib -Itest -e 'Dir["./test/**/{test_*,*_test}.rb"].each { |f| require f }'"#;
        out.push(by_default("ruby", format!("{bundle}ruby {all}"), "test"));
    }
    if place.mentions("Gemfile", "rspec") {
        out.push(by_default("ruby", "bundle exec rspec", "Gemfile"));
    }
}

fn php(place: &Place<'_>, out: &mut Vec<Found>) {
    let composer = place.json("composer.json");
    let says = |list: &str, name: &str| {
        composer
            .as_ref()
            .is_some_and(|json| json[list].get(name).is_some())
    };
    if says("scripts", "test") {
        let why = "script `test` in `composer.json`";
        out.push(Found::new(
            Strength::Script,
            Some("php"),
            "composer test",
            why,
            "composer.json",
        ));
    }
    if place.exists("artisan") {
        out.push(configured("php", "php artisan test", "artisan"));
    }
    if says("require-dev", "pestphp/pest") {
        out.push(configured("php", "vendor/bin/pest", "composer.json"));
    }
    let config = place.first(&["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"]);
    if let Some(file) = config {
        out.push(configured("php", "vendor/bin/phpunit", file));
        if !place.exists("vendor/bin/phpunit") && (place.has_program)("phpunit") {
            out.push(by_default("php", "phpunit", file));
        }
    } else if says("require-dev", "phpunit/phpunit") {
        out.push(by_default("php", "vendor/bin/phpunit", "composer.json"));
    }
}

fn jvm(place: &Place<'_>, out: &mut Vec<Found>) {
    let wrapped = |wrapper: &str, program: &str| match place.exists(wrapper) {
        true => format!("./{wrapper} test"),
        false => format!("{program} test"),
    };
    let kotlin = place.exists("src/main/kotlin") || place.exists("src/test/kotlin");
    let language = if kotlin { "kotlin" } else { "java" };
    if place.exists("pom.xml") {
        out.push(by_default(language, wrapped("mvnw", "mvn"), "pom.xml"));
    }
    let gradle = [
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
    ];
    if let Some(file) = place.first(&gradle) {
        out.push(by_default(language, wrapped("gradlew", "gradle"), file));
    }
}

fn dotnet(place: &Place<'_>, out: &mut Vec<Found>) {
    let named = |ends: &[&str]| -> Vec<String> {
        let names = place.list("").into_iter();
        names
            .filter(|name| ends.iter().any(|end| name.ends_with(end)))
            .collect()
    };
    let solutions = named(&[".sln", ".slnx"]);
    let projects = named(&[".csproj", ".fsproj", ".vbproj"]);
    let Some(file) = solutions.first().or(projects.first()) else {
        return;
    };
    let language = match projects
        .first()
        .is_some_and(|name| name.ends_with(".fsproj"))
    {
        true => "fsharp",
        false => "csharp",
    };
    // With more than one to choose from, `dotnet test` refuses.
    let command = match solutions.len() + projects.len() {
        1 => "dotnet test".to_owned(),
        _ if file.contains([' ', '\'']) => format!("dotnet test \"{file}\""),
        _ => format!("dotnet test {file}"),
    };
    out.push(by_default(language, command, file));
}

fn dart(place: &Place<'_>, out: &mut Vec<Found>) {
    if let Some(text) = place.read("pubspec.yaml") {
        let command = match text.contains("sdk: flutter") {
            true => "flutter test",
            false => "dart test",
        };
        out.push(by_default("dart", command, "pubspec.yaml"));
    }
}

fn clojure_deps(place: &Place<'_>, out: &mut Vec<Found>) {
    if place.mentions("deps.edn", ":test") {
        out.push(by_default("clojure", "clojure -X:test", "deps.edn"));
    }
}

fn c(place: &Place<'_>, out: &mut Vec<Found>) {
    if let Some(text) = place.read("CMakeLists.txt") {
        let text = text.to_lowercase();
        let tested = [
            "enable_testing",
            "include(ctest)",
            "add_test",
            "add_subdirectory(test",
        ];
        if tested.iter().any(|word| text.contains(word)) {
            out.push(by_default("c++", ctest_command(place), "CMakeLists.txt"));
        }
    }
    if place.exists("meson.build") {
        // A fresh clone has nothing set up.
        let command = match place.exists("build/build.ninja") {
            true => "meson test -C build",
            false => "(test -f build/build.ninja || meson setup build) && meson test -C build",
        };
        out.push(by_default("c++", command, "meson.build"));
    }
    if let Some(file) = place.first(&["configure.ac", "Makefile.am"]) {
        out.push(by_default("c", "make check", file));
    }
}

/// Builds before it tests, or a changed source would be judged by its last build.
fn ctest_command(place: &Place<'_>) -> String {
    let known = [
        "build",
        "cmake-build-debug",
        "cmake-build-release",
        "_build",
        "out",
    ];
    let built = known
        .into_iter()
        .find(|dir| place.exists(&format!("{dir}/CMakeCache.txt")));
    let configure = if built.is_some() {
        ""
    } else {
        "cmake -S . -B build && "
    };
    let dir = built.unwrap_or("build");
    format!("{configure}cmake --build {dir} && ctest --test-dir {dir} --output-on-failure")
}

/// Build tools that run the tests of every language in the repository.
fn whole_repository_builds(place: &Place<'_>, out: &mut Vec<Found>) {
    let bazel = ["MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"];
    let tools = [
        (place.first(&bazel), "bazel test //..."),
        (place.first(&["pants.toml"]), "pants test ::"),
    ];
    for (file, command) in tools {
        if let Some(file) = file {
            let why = format!("`{file}`");
            out.push(Found::new(Strength::FrontDoor, None, command, why, file).covering_all());
        }
    }
}

fn scripting(place: &Place<'_>, out: &mut Vec<Found>) {
    if has_named(place, "t", ".t") {
        out.push(by_default("perl", "prove -lr t", "t"));
    }
    if let Some(dir) = ["test", "tests", "spec", "bats"]
        .into_iter()
        .find(|dir| has_named(place, dir, ".bats"))
    {
        // By itself it does not look into folders.
        let below = match has_named_below(place, dir, "", ".bats") {
            true => "-r ",
            false => "",
        };
        out.push(by_default("shell", format!("bats {below}{dir}"), dir));
    } else if let Some(file) = place.first_named(|name| name.ends_with(".bats")) {
        out.push(by_default("shell", "bats .", &file));
    }
    if place.exists(".busted") || has_named(place, "spec", "_spec.lua") {
        let file = place.first(&[".busted"]).unwrap_or("spec");
        out.push(by_default("lua", "busted", file));
    }
    if place.exists("Project.toml") && place.exists("test/runtests.jl") {
        let command = "julia --project -e 'using Pkg; Pkg.test()'";
        out.push(by_default("julia", command, "Project.toml"));
    }
    testthat(place, out);
}

/// devtools loads the package as its users would; without it, or without a package, testthat alone does.
fn testthat(place: &Place<'_>, out: &mut Vec<Found>) {
    const DIR: &str = "tests/testthat";
    if !place.exists(DIR) {
        return;
    }
    let mut add = |call: &str, file: &str| {
        out.push(by_default("r", format!("Rscript -e '{call}'"), file));
    };
    if place.exists("DESCRIPTION") {
        add("devtools::test(stop_on_failure = TRUE)", "DESCRIPTION");
        add(
            "testthat::test_local(stop_on_failure = TRUE)",
            "DESCRIPTION",
        );
    }
    add(
        &format!("testthat::test_dir(\"{DIR}\", stop_on_failure = TRUE)"),
        DIR,
    );
}

/// Whether a folder, or one right in it, has a file whose name ends so.
fn has_named(place: &Place<'_>, dir: &str, end: &str) -> bool {
    has_prefixed(place, dir, "", end)
}

fn has_prefixed(place: &Place<'_>, dir: &str, start: &str, end: &str) -> bool {
    let fits = |name: &String| name.starts_with(start) && name.ends_with(end);
    place.list(dir).iter().any(fits) || has_named_below(place, dir, start, end)
}

/// Whether a folder right in this one has a file whose name begins and ends so.
fn has_named_below(place: &Place<'_>, dir: &str, start: &str, end: &str) -> bool {
    let fits = |name: &String| name.starts_with(start) && name.ends_with(end);
    let names = place.list(dir).into_iter();
    names
        .filter(|name| name.ends_with('/'))
        .take(50)
        .any(|sub| place.list(&format!("{dir}/{sub}")).iter().any(fits))
}
