//! What is known about the programs that have no model of their own.

/// What a program does to the paths it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// It reads them; with one of its options it may write them.
    Reads,
    /// It rewrites them when an option or a verb asks for it, as most formatters do.
    OnRequest,
    /// It writes the last of them.
    Last,
    /// It writes them, unless one of its options is given.
    Writes,
    /// It puts files of any name where it is told to.
    Unpacks,
    /// It runs code; what that code does decides.
    Runs,
    /// It edits them, and writes them if its commands say so.
    Edits,
    /// It is a shell of its own kind, whose simple commands read like those of any other.
    Shell,
}

/// The programs that are known, and the options that make the difference.
const KNOWN: &[(Manner, &str, &str)] = &[
    (
        Manner::Reads,
        "Write-Host Write-Output actionlint ansible-lint ansible-playbook ava bandit bat batcat bats \
         bazel behave busted bzcat c++filt c8 cal checkov checkstyle clang-tidy cloc cmp code comm \
         coverage cppcheck cpplint cscope ctags ctest cucumber cypress date delta deptry detekt df \
         diffstat dirname doctest dot doxygen du dune errcheck esbuild exa exiftool expand expr eza \
         ffprobe file flake8 flask flutter free fx fzf gauge getconf getfacl gitk glab godoc gojq golint \
         gopls gosec gradle gradlew graphviz green grunt gulp gunicorn hadolint helm hexdump hexyl host \
         hostname http-server hugo icdiff id identify ineffassign infection inv invoke ip jasmine javap \
         jekyll jest jira join jq jsdoc karate karma knip kubeval last lazygit ldd lerna licensee \
         lint-imports locust logger lsattr lsd lsof luacheck madge md5 md5sum meson mint mkdocs mocha \
         mutmut mvn mvnw mypy nano nc netstat ninja nm nose2 nosetests notify-send nox nproc nslookup nx \
         nyc objdump od open pabot parcel pbcopy pdoc perldoc pg_prove phpcs phpstan phpunit ping \
         pip-audit playwright pmd poe pre-commit prove psalm pt py-spy py.test pycodestyle pydocstyle \
         pyflakes pylint pyre pyright pytest radon rails rake readelf rebar3 redis-cli robot rollup rspec \
         rush rust-analyzer rustdoc rustup safety say sbt scalastyle scc sha1sum sha256sum sha512sum \
         shasum shellcheck size sleep solhint sphinx-build starship start stat staticcheck storybook \
         strings stryker sum swagger swiftlint tap tape task terraform testem tflint tig tldr tokei top \
         tox tree trivy trufflehog ts-prune tsc tslint tty turbo uname uptime uvicorn vale vite vitest \
         vulture w ward watchman webpack whatis who whoami wl-copy xclip xcodebuild xenon xmllint xsv \
         xzcat sass swc tsup typedoc lessc stylus postcss terser uglifyjs alembic yamllint yes zcat zgrep zless zmore zstdcat",
        "-i --in-place --inplace --fix --write",
    ),
    (
        Manner::OnRequest,
        "2to3 lib2to3 ast-grep autoflake autopep8 biome clang-format cljfmt cmake-format codespell cmake comby composer crudini \
         dart dasel deno djlint docformatter dotnet dprint elm-format eslint gci gofmt gofumpt goimports \
         golangci-lint golines java jaq jsonnetfmt kotlin ktlint lein markdownlint misspell mix ocamlformat oxlint \
         php-cs-fixer prettier pyment rector rome rubocop ruff ruplacer sg shellharden shfmt sqlfluff standard \
         standardrb stylelint stylish-haskell swift swift-format taplo tomlq typos ufmt unify usort wiggle xml xmlstarlet \
         xo xq yapf yq zig mlr ormolu fourmolu perltidy semgrep tidy \
         augtool sad go",
        "-E -b -k --commit --go --set --del --merge -L",
    ),
    (
        Manner::Last,
        "convert magick ffmpeg objcopy pdftotext pandoc cpp",
        "",
    ),
    (
        Manner::Writes,
        "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 brotli uncompress",
        "-c --stdout --to-stdout -t --test -l --list",
    ),
    (Manner::Unpacks, "unzip", "-l -p -c -t -v -z -Z -Zl"),
    (
        Manner::Unpacks,
        "cpio pax",
        "-o -t --list --create --to-stdout -ov",
    ),
    (Manner::Writes, "sd rpl", "-p --preview"),
    (
        Manner::Writes,
        "black isort blue nixfmt alejandra treefmt rustfmt buildifier csharpier scalafmt",
        "-c -d -l -t -p",
    ),
    (
        Manner::Runs,
        "R Rscript lua luajit php bb chez chibi-scheme clisp clj clojure coffee crystal csi duckdb ecl erl elixir emacs expect \
         fennel gdb ghc ghci gosh groovy guile hy iex janet jshell julia kotlinc lldb mariadb mysql nim ocaml \
         octave osascript psql racket raku raco runghc runhaskell rust-script sbcl scala scala-cli sqlite \
         sqlite3 tclsh wish ",
        "",
    ),
    (Manner::Runs, "perl ruby", ""),
    (Manner::Edits, "ed red ex nvim vi view vim vimdiff", ""),
    (Manner::Last, "Copy-Item json.tool quopri uu", ""),
    (
        Manner::Unpacks,
        "zipfile tarfile",
        "-l -t -c --list --test --create",
    ),
    (Manner::Writes, "fileinput venv virtualenv", ""),
    (
        Manner::Runs,
        "cProfile profile trace",
        "-C --coverdir -f --file -o",
    ),
    (
        Manner::Runs,
        "c++ cc clang clang++ g++ gcc javac rustc swiftc",
        "-d -o",
    ),
    (
        Manner::Shell,
        "Invoke-Expression cmd elvish fish nu powershell pwsh xonsh",
        "",
    ),
];

/// Options with which a program only says what it would do.
pub(super) const LOOKS: &str = "--check --check-formatted --check-only --ci --diff --dry --dry-run --fail-on-change \
        --help --lint --list-different --mode=check --set-exit-if-changed --stdout --test \
        --validate --verify-no-changes --version -WhatIf -check -h -mode=check -n";
/// Options with which a program that usually looks writes.
pub(super) const WRITES: &str = "--apply --auto-correct --autocorrect --autocorrect-all --autofix --fix --in-place \
        --inplace --mode --reformat --replace --unsafe-fixes --update-all --write --yes -A -F -I \
        -U -a -i -m -w";
/// Verbs with which such a program writes.
pub(super) const WRITING_VERBS: &str = "csharpier delete fix fmt format process put set write";
/// Verbs with which any program looks.
pub(super) const LOOKING_VERBS: &str = "analyse analyze audit bench build cat check count coverage describe detect diff doc exec \
     explain find get head help info inspect lint list ls open plan preview print profile \
     query report run scan search serve show start stats status test tests validate verify \
     version view watch";
/// How the names of programs begin or end that test, check or show something.
pub(super) const LOOKING_NAMES: &str = "audit bench cat check cov detect diff dump info leaks lint look open probe \
     scan serve server spec spell stat test tests view viewer";
/// Options of any program whose value is read.
pub(super) const INPUTS: &str = "--config --config-file --env-file --exclude --from --ignore --in --include --input --project \
     --rcfile --requirement --schema --settings --source --src";
/// The commands with which editors write.
pub(super) const SAVES: &str =
    "W ZZ exit sav saveas up update w wa wall wn wq wqa wqall write x xa xall xit";

/// What is known about a program: by its name, or without the version in it.
pub(super) fn known(name: &str) -> Option<(Manner, &'static str)> {
    let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let plain = name.strip_suffix(".exe").unwrap_or(unversioned);
    let is_it = |known: &str| known == name || known == plain;
    let (manner, _, options) = KNOWN
        .iter()
        .find(|(_, names, _)| names.split_whitespace().any(is_it))?;
    Some((*manner, options))
}

/// Whether something is known about a program.
pub(super) fn knows(name: &str) -> bool {
    known(name).is_some()
}
