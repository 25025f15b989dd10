use std::path::PathBuf;

use super::*;
use crate::detect::first::render_first;
use crate::detect::{Candidate, Detected, FoundProject};
use crate::rules::smell::{Rule, Severity};

fn layer(name: &str, bytes: impl AsRef<[u8]>) -> Option<Layer> {
    Some(Layer {
        path: PathBuf::from(name),
        bytes: bytes.as_ref().to_vec(),
    })
}

fn parse(text: impl AsRef<[u8]>) -> Result<Config, ConfigError> {
    Config::from_layers(None, layer(".tcr.toml", text))
}

fn good(text: impl AsRef<[u8]>) -> Config {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn shell(line: &str) -> Option<CommandLine> {
    Some(CommandLine::Shell(line.to_owned()))
}

#[test]
fn nothing_given_is_the_defaults() {
    for text in ["", "\n", "# only a comment", "\u{feff}", "\r\n\r\n"] {
        assert_eq!(good(text), Config::default(), "{text:?}");
    }
    assert_eq!(Config::from_layers(None, None), Ok(Config::default()));
}

#[test]
fn all_keys_are_read() {
    let config = good(
        r#"
enabled = false
mode = "relaxed"
test = ["pytest", "-q"]
lint = "ruff check"
tests = ["tests/**", "./checks/", "/a", "{x,}.py"]
source = ["src/**"]
harness = ["setup.py"]
protected = ["deploy/**"]
exempt = ["gen/", "gen/"]
commit_message = "{phase}: {files}"
debounce_ms = 0
show_test_output = false
test_output_limit = 1_000
timeout_s = 0x10
trigger = "turn"
patience = 0
needed = "block"
setup = "uv sync"
report = "./build//junit.xml"
red_confirm = "FAILED"
red_needs = "stub"
branches = ["feat/*"]

[validator]
command = "judge"
on = ["freeze", "green"]
timeout_s = 9

[smells]
no_assertion = "block"
tautology = "block"

[[project]]
path = "./packages//a/"
test = "go test ./..."
lint = "golangci-lint run"
tests = ["*_test.go"]
source = ["*.go"]
harness = ["main_test.go"]
exempt = ["pb/**"]
needs = ["packages/b/"]
timeout_s = 7
red_confirm = "FAIL"
report = "junit.xml"

[[project]]
path = "packages/b"
"#,
    );
    let strings = |list: &[&str]| list.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    let expected = Config {
        enabled: false,
        mode: Mode::Relaxed,
        test: Some(CommandLine::Args(strings(&["pytest", "-q"]))),
        lint: shell("ruff check"),
        tests: Some(strings(&["tests/**", "./checks/", "/a", "{x,}.py"])),
        source: Some(strings(&["src/**"])),
        harness: strings(&["setup.py"]),
        protected: strings(&["deploy/**"]),
        exempt: strings(&["gen/"]),
        commit_message: "{phase}: {files}".into(),
        debounce_ms: 0,
        show_test_output: false,
        test_output_limit: 1000,
        timeout_s: 16,
        trigger: Trigger::Turn,
        patience: 0,
        needed: Needed::Block,
        setup: shell("uv sync"),
        report: Some("build/junit.xml".into()),
        red_confirm: Some("FAILED".into()),
        red_needs: Some(RedNeeds::Stub),
        branches: strings(&["feat/*"]),
        validator: Validator {
            command: shell("judge"),
            on: vec![ValidatorOn::Freeze, ValidatorOn::Green],
            timeout_s: 9,
        },
        smells: [(Rule::NoAssertion, Severity::Block)].into(),
        projects: vec![
            Project {
                path: "packages/a".into(),
                test: shell("go test ./..."),
                lint: shell("golangci-lint run"),
                tests: Some(strings(&["*_test.go"])),
                source: Some(strings(&["*.go"])),
                harness: strings(&["main_test.go"]),
                exempt: strings(&["pb/**"]),
                needs: strings(&["packages/b"]),
                timeout_s: Some(7),
                red_confirm: Some("FAIL".into()),
                report: Some("junit.xml".into()),
            },
            Project {
                path: "packages/b".into(),
                ..Project::default()
            },
        ],
    };
    assert_eq!(config, expected);
}

#[test]
fn what_is_wrong_is_said_exactly() {
    let cases = [
        (
            "tets = \"npm test\"",
            ".tcr.toml:1:1: unknown key `tets`\nhint: did you mean `test`?",
        ),
        (
            "mode = \"both\"\n\n[validator]\ncmd = \"x\"\ncommands = \"x\"",
            ".tcr.toml:4:1: unknown key `cmd`\nhint: known keys: `command`, `on`, `timeout_s`\n\
             .tcr.toml:5:1: unknown key `commands`\nhint: did you mean `command`?",
        ),
        (
            "[[project]]\npath = \"a\"\nmode = \"tcr\"",
            ".tcr.toml:3:1: unknown key `mode`\n\
             hint: `mode` belongs at the top, before the first `[table]`",
        ),
        (
            "timeout_s = \"120\"",
            ".tcr.toml:1:13: `timeout_s` must be a whole number from 1 to 86400, not a string",
        ),
        (
            "timeout_s = 1.5",
            ".tcr.toml:1:13: `timeout_s` must be a whole number from 1 to 86400, not a number with a point",
        ),
        (
            "timeout_s = 0\npatience = -1\ndebounce_ms = 99999999999999999999",
            ".tcr.toml:1:13: `timeout_s` must be a whole number from 1 to 86400, not `0`\n\
             .tcr.toml:2:12: `patience` must be a whole number from 0 to 1000, not `-1`\n\
             .tcr.toml:3:15: `debounce_ms` must be a whole number from 0 to 60000, not `99999999999999999999`",
        ),
        (
            "enabled = \"yes\"\nshow_test_output = 1",
            ".tcr.toml:1:11: `enabled` must be `true` or `false`, not a string\n\
             .tcr.toml:2:20: `show_test_output` must be `true` or `false`, not a number",
        ),
        (
            "mode = \"bth\"",
            ".tcr.toml:1:8: `mode` can't be `bth`\n\
             hint: did you mean `both`? allowed: `both`, `tdd`, `tcr`, `relaxed`, `observe`, `off`",
        ),
        (
            "red_needs = \"proof\"",
            ".tcr.toml:1:13: `red_needs` can't be `proof`\nhint: allowed: `error`, `stub`, `assertion`",
        ),
        (
            "needed = true",
            ".tcr.toml:1:10: `needed` must be one of `warn`, `block`, not `true` or `false`",
        ),
        (
            "report = '/tmp/a.xml'\n[[project]]\npath = 'a'\nreport = 'build/*.xml'\n\
             [[project]]\npath = 'b'\nreport = '../a.xml'\n[[project]]\npath = 'c'\nreport = 'build/'",
            ".tcr.toml:1:10: `report` can't be `/tmp/a.xml`\nhint: give one file inside the repository: `build/junit.xml`\n\
             .tcr.toml:4:10: `report` can't be `build/*.xml`\nhint: give one file inside the repository: `build/junit.xml`\n\
             .tcr.toml:7:10: `report` can't be `../a.xml`\nhint: give one file inside the repository: `build/junit.xml`\n\
             .tcr.toml:10:10: `report` can't be `build/`\nhint: give one file inside the repository: `build/junit.xml`",
        ),
        (
            "[validator]\ncache = true",
            ".tcr.toml:2:1: unknown key `cache`\nhint: known keys: `command`, `on`, `timeout_s`",
        ),
        (
            "[validator]\non = [\"freeze\", \"gren\"]",
            ".tcr.toml:2:17: `on` can't be `gren`\nhint: did you mean `green`? allowed: `freeze`, `green`",
        ),
        (
            "[smells]\nno_asertion = \"warn\"",
            ".tcr.toml:2:1: unknown key `no_asertion`\nhint: did you mean `no_assertion`?",
        ),
        (
            "[smells]\nno_assertion = \"error\"",
            ".tcr.toml:2:16: `no_assertion` can't be `error`\nhint: allowed: `block`, `warn`, `off`",
        ),
        (
            "smells = \"off\"",
            ".tcr.toml:1:10: `smells` must be a table (`[smells]`), not a string",
        ),
        (
            "validator = \"judge\"",
            ".tcr.toml:1:13: `validator` must be a table (`[validator]`), not a string",
        ),
        (
            "tests = \"tests/**\"",
            ".tcr.toml:1:9: `tests` must be an array, not a string",
        ),
        (
            "tests = [\n  \"tests/**\",\n  \"[a\",\n  3,\n]",
            ".tcr.toml:3:3: `tests` has a bad pattern `[a`: unclosed character class; missing ']'\n\
             .tcr.toml:4:3: `tests` must be a string, not a number",
        ),
        (
            "exempt = [\"\", \"!a\", \"/\", \"../a\"]",
            ".tcr.toml:1:11: `exempt` has the pattern ``, which names nothing\n\
             .tcr.toml:1:15: `exempt` has the pattern `!a`, which starts with `!`: patterns can't take paths out\n\
             .tcr.toml:1:21: `exempt` has the pattern `/`, which names nothing\n\
             .tcr.toml:1:26: `exempt` has the pattern `../a`, which holds `..`: paths begin at the root",
        ),
        (
            "branches = [\"{a\"]",
            ".tcr.toml:1:13: `branches` has a bad pattern `{a`: unclosed alternate group; missing '}' \
             (maybe escape '{' with '[{]'?)",
        ),
        (
            "red_confirm = \"(a\"",
            ".tcr.toml:1:15: `red_confirm` is not a regular expression: unclosed group",
        ),
        (
            "commit_message = \"{phse} {x}\"",
            ".tcr.toml:1:18: `commit_message` knows no `{phse}`\n\
             hint: allowed: `{phase}`, `{cycle}`, `{tests}`, `{files}`\n\
             .tcr.toml:1:18: `commit_message` knows no `{x}`\n\
             hint: allowed: `{phase}`, `{cycle}`, `{tests}`, `{files}`",
        ),
        (
            "commit_message = \" \"",
            ".tcr.toml:1:18: `commit_message` must not be empty",
        ),
        (
            "test = []\nlint = [\"\"]\nsetup = 1",
            ".tcr.toml:1:8: `test` names no program\n\
             hint: `test = [\"program\", \"argument\"]`, or `\"\"` for none\n\
             .tcr.toml:2:8: `lint` names no program\n\
             hint: `lint = [\"program\", \"argument\"]`, or `\"\"` for none\n\
             .tcr.toml:3:9: `setup` must be a string or an array of strings, not a number",
        ),
        (
            "test = \"a\\u0000b\"",
            ".tcr.toml:1:8: `test` holds a NUL character",
        ),
        (
            "[project.a]\npath = \"a\"",
            ".tcr.toml:1:2: `project` must be an array of tables (`[[project]]`), not a table",
        ),
        (
            "[[project]]\ntest = \"x\"",
            ".tcr.toml:1:1: `[[project]]` has no `path`\nhint: `path = \"packages/a\"`",
        ),
        (
            "[[project]]\npath = \"../a\"\n[[project]]\npath = \"/a\"\n[[project]]\npath = \"\"\n[[project]]\npath = 'C:/a'",
            ".tcr.toml:2:8: `path` can't be `../a`\nhint: give a folder inside the repository, from its root: `packages/a`\n\
             .tcr.toml:4:8: `path` can't be `/a`\nhint: give a folder inside the repository, from its root: `packages/a`\n\
             .tcr.toml:6:8: `path` can't be ``\nhint: give a folder inside the repository, from its root: `packages/a`\n\
             .tcr.toml:8:8: `path` can't be `C:/a`\nhint: give a folder inside the repository, from its root: `packages/a`",
        ),
        (
            "[[project]]\npath = \"a\"\n[[project]]\npath = \"./a/\"",
            ".tcr.toml:4:8: a second project has the path `a`",
        ),
        (
            "[[project]]\npath = \"packages/a\"\nneeds = [\"package/b\", \"zzz\"]\n[[project]]\npath = \"packages/b\"",
            ".tcr.toml:3:10: `needs` names `package/b`, which is no project's `path`\n\
             hint: did you mean `packages/b`?\n\
             .tcr.toml:3:23: `needs` names `zzz`, which is no project's `path`\n\
             hint: known projects: `packages/a`, `packages/b`",
        ),
        (
            "[[project]]\npath = \"x\"\nneeds = [\"a\"]\n[[project]]\npath = \"a\"\nneeds = [\"b\"]\n[[project]]\npath = \"b\"\nneeds = [\"a\"]",
            ".tcr.toml:5:8: `needs` goes round in a circle: `a` → `b` → `a`",
        ),
        (
            "[[project]]\npath = \"a\"\nneeds = [\".\", \"a\"]\n[[project]]\npath = \".\"",
            ".tcr.toml:2:8: `needs` goes round in a circle: `a` → `a`",
        ),
        (
            "mode = \"both\npatience = 1",
            ".tcr.toml:1:13: invalid basic string, expected `\"`",
        ),
        (
            "mode = \"both\"\r\nmode = \"tcr\"\r\n",
            ".tcr.toml:2:1: duplicate key `mode`",
        ),
        (
            "mode = \"both\"\r\n\r\nütets = 1 # ü\r\n",
            ".tcr.toml:3:1: invalid unquoted key, expected letters, numbers, `-`, `_`",
        ),
        (
            "\u{feff}tets = 1\r\nlnit = ''",
            ".tcr.toml:1:1: unknown key `tets`\nhint: did you mean `test`?\n\
             .tcr.toml:2:1: unknown key `lnit`\nhint: did you mean `lint`?",
        ),
    ];
    for (text, expected) in cases {
        let error = parse(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "\nfor: {text}");
    }
}

#[test]
fn a_file_in_another_encoding_is_refused() {
    let latin1 = parse(b"mode = \"both\"\n# fran\xe7ais").unwrap_err();
    assert_eq!(
        latin1.to_string(),
        ".tcr.toml:2:7: the file is not UTF-8\nhint: save it as UTF-8"
    );
    let utf16: Vec<u8> = "\u{feff}mode = 'tcr'"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(
        parse(utf16).unwrap_err().to_string(),
        ".tcr.toml:1:1: the file is not UTF-8\nhint: save it as UTF-8"
    );
}

#[test]
fn a_large_file_is_read_and_its_problems_are_not_all_shown() {
    let comments = format!("{}mode = 'tcr'\n", "# nothing\n".repeat(100_000));
    assert_eq!(good(comments).mode, Mode::Tcr);

    let keys: String = (0..30_000).map(|i| format!("colour_{i} = {i}\n")).collect();
    let error = parse(keys).unwrap_err();
    assert_eq!((error.problems.len(), error.more), (20, 29_980));
    assert!(error.to_string().ends_with("\nand 29980 more problems"));

    let deep = format!("test = {}", "[".repeat(1_000_000));
    assert_eq!(parse(deep).unwrap_err().problems.len(), 1);
}

#[test]
fn the_project_lies_over_the_user() {
    let user = "mode = 'tcr'\ntimeout_s = 5\ntest = 'make'\nlint = 'l'\ntests = ['u/**']\n\
                protected = ['u']\n[validator]\ntimeout_s = 7\ncommand = 'judge'";
    let project = "mode = 'tdd'\ntest = 'npm test'\nlint = ''\ntests = ['p/**']\n\
                   protected = ['p', 'u']\n[validator]\non = ['green']";
    let config = Config::from_layers(layer("u", user), layer("p", project)).unwrap();
    assert_eq!(config.mode, Mode::Tdd);
    assert_eq!(config.timeout_s, 5);
    assert_eq!(config.test, shell("npm test"));
    assert_eq!(config.lint, None);
    assert_eq!(config.tests, Some(vec!["p/**".to_owned()]));
    assert_eq!(config.protected, ["u", "p"]);
    assert_eq!(config.validator.timeout_s, 7);
    assert_eq!(config.validator.command, shell("judge"));
    assert_eq!(config.validator.on, [ValidatorOn::Green]);
}

#[test]
fn both_files_name_their_problems() {
    let error = Config::from_layers(
        layer("/home/me/config.toml", "[[project]]\npath = 'a'\n"),
        layer(".tcr.toml", "patience = 'a'\npatient = 1"),
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "/home/me/config.toml:1:3: `project` can't be a default for every repository\n\
         hint: write it in the repository's `.tcr.toml`\n\
         .tcr.toml:1:12: `patience` must be a whole number from 0 to 1000, not a string\n\
         .tcr.toml:2:1: unknown key `patient`\n\
         hint: did you mean `patience`?"
    );
}

/// The documented keys are the ones that are read, with the documented defaults.
#[test]
fn keys_and_reading_agree() {
    let written = |doc: &KeyDoc, value: &str| match doc.scope {
        Scope::Top => format!("{} = {value}", doc.name),
        Scope::Validator => format!("[validator]\n{} = {value}", doc.name),
        Scope::Smells => format!("[smells]\n{} = {value}", doc.name),
        Scope::Project if doc.name == "path" => format!("[[project]]\npath = {value}"),
        Scope::Project => format!(
            "[[project]]\npath = 'x'\n{} = {value}\n[[project]]\npath = '.'",
            doc.name
        ),
    };
    let plain_projects = good("[[project]]\npath = 'x'\n[[project]]\npath = '.'");
    for doc in KEYS {
        let plain = match doc.scope {
            Scope::Project => &plain_projects,
            Scope::Top | Scope::Validator | Scope::Smells => &Config::default(),
        };
        assert_ne!(&good(written(doc, doc.example)), plain, "{doc:?}");
        if !doc.default.is_empty() {
            assert_eq!(&good(written(doc, doc.default)), plain, "{doc:?}");
        }
    }
}

#[test]
fn defaults_by_kind_of_cycle() {
    let config = Config::default();
    assert_eq!(config.red_needs(CycleKind::Free), RedNeeds::Error);
    assert_eq!(config.red_needs(CycleKind::Spec), RedNeeds::Assertion);
    let config = good("red_needs = 'stub'");
    assert_eq!(config.red_needs(CycleKind::Spec), RedNeeds::Stub);
}

#[test]
fn the_longest_project_path_wins() {
    let config = good(
        "[[project]]\npath = 'a'\n[[project]]\npath = 'a/b'\n[[project]]\npath = 'a/b/c'\n[[project]]\npath = 'ä'",
    );
    let cases: [(&[u8], Option<&str>); 9] = [
        (b"a/x.py", Some("a")),
        (b"a", Some("a")),
        (b"a/b/x.py", Some("a/b")),
        (b"a/bc/x.py", Some("a")),
        (b"a/b/c/d/e", Some("a/b/c")),
        (b"ab/x.py", None),
        (b"x.py", None),
        ("ä/x".as_bytes(), Some("ä")),
        (b"a/\xff\xfe", Some("a")),
    ];
    for (path, expected) in cases {
        let found = config.project_for(path).map(|p| p.path.as_str());
        assert_eq!(found, expected, "{path:?}");
    }
    let rooted = good("[[project]]\npath = 'a'\n[[project]]\npath = '.'");
    assert_eq!(rooted.project_for(b"x").unwrap().path, ".");
    assert_eq!(rooted.project_for(b"a/x").unwrap().path, "a");
}

#[test]
fn branches_are_matched_by_glob() {
    let some = good("branches = ['feat/*', 'main']");
    let cases = [
        ("feat/a", true),
        ("feat/a/b", true),
        ("main", true),
        ("mainly", false),
        ("fix/a", false),
        ("", false),
    ];
    for (branch, expected) in cases {
        assert_eq!(some.acts_on(branch), expected, "{branch}");
    }
    assert!(Config::default().acts_on("any/branch"));
    assert!(!good("branches = []").acts_on("main"));
}

#[test]
fn the_commit_message_is_filled_in_once() {
    let parts = MessageParts {
        phase: "red",
        cycle: "3",
        tests: "{files}",
        files: "a.py",
    };
    assert_eq!(Config::default().message_for(&parts), "WIP");
    let config = good("commit_message = 'x{phase}-{cycle} {tests} { } {files}'");
    assert_eq!(config.message_for(&parts), "xred-3 {files} { } a.py");
}

#[test]
fn the_sealed_copy_reads_back() {
    let config = good(
        "test = ['a', 'b']\nred_needs = 'stub'\n[validator]\non = ['green']\n[[project]]\npath = 'a'\ntest = 'x'",
    );
    let json = serde_json::to_string(&config).unwrap();
    assert_eq!(serde_json::from_str::<Config>(&json).unwrap(), config);
}

#[test]
fn a_sealed_copy_of_a_newer_version_is_read_but_no_nonsense() {
    let config = good("[[project]]\npath = 'a'");
    let mut sealed = serde_json::to_value(&config).unwrap();
    sealed["later"] = 1.into();
    sealed["project"][0]["later"] = 2.into();
    let read = |value: &serde_json::Value| serde_json::from_value::<Config>(value.clone());
    assert_eq!(read(&sealed).unwrap(), config);

    for (key, nonsense) in [("mode", "later"), ("timeout_s", "yes"), ("project", "a")] {
        let mut sealed = sealed.clone();
        sealed[key] = nonsense.into();
        assert!(read(&sealed).is_err(), "{key}");
        sealed.as_object_mut().unwrap().remove(key);
        assert!(read(&sealed).is_err(), "without {key}");
    }
    for bad in ["{}", "[]", "null", "", "{\"mode\":\"off\"}"] {
        assert!(serde_json::from_str::<Config>(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_fingerprint_follows_what_decides_a_result() {
    let base = "test = 'a'\n[[project]]\npath = 'p'\n";
    let print = |text: &str| good(text).fingerprint();
    let with = |line: &str| print(&format!("{line}\n{base}"));
    assert_eq!(with("").len(), 64);
    for line in [
        "setup = 'npm ci'",
        "report = 'a.xml'",
        "tests = ['t']",
        "source = ['t']",
        "harness = ['t']",
        "exempt = ['t']",
        "red_confirm = 'x'",
        "red_needs = 'stub'",
    ] {
        assert_ne!(with(line), with(""), "{line}");
    }
    for line in [
        "timeout_s = 9",
        "mode = 'tcr'",
        "commit_message = 'x'",
        "patience = 0",
        "needed = 'block'",
        "lint = 'x'",
    ] {
        assert_eq!(with(line), with(""), "{line}");
    }
    for line in [
        "test = 'b'",
        "tests = ['t']",
        "red_confirm = 'x'",
        "harness = ['t']",
        "report = 'a.xml'",
    ] {
        assert_ne!(print(&format!("{base}{line}")), with(""), "project: {line}");
    }
    assert_ne!(print("test = 'a b'"), print("test = ['a', 'b']"));
    assert_ne!(print("tests = ['t']"), print("source = ['t']"));
}

fn found(command: &str, why: &str) -> Candidate {
    Candidate {
        command: command.to_owned(),
        why: why.to_owned(),
        file: "package.json".to_owned(),
    }
}

#[test]
fn the_first_config_reads_well() {
    let detected = Detected {
        test: Some(found("npm test", "script `test` in `package.json`")),
        candidates: vec![
            found("npm test", "script `test` in `package.json`"),
            found("make test", "target `test` in `Makefile`"),
        ],
        lint: Some(found("npx eslint .", "`eslint.config.js`")),
        ..Detected::default()
    };
    let text = render_first(&detected);
    insta::assert_snapshot!(text, @r#"
    # git tcr: failing test first, green is committed, red is taken back after a few tries.
    # A change here takes effect when a person runs `git tcr install` again.

    # How to run the tests. Found: script `test` in `package.json`.
    test = "npm test"
    # or: test = "make test"  (target `test` in `Makefile`)

    # How much is enforced: "both" (gate and loop), "tdd" (gate only), "tcr" (loop only),
    # "relaxed" (only frozen is taken back), "observe" (only records) or "off".
    mode = "both"

    # How many tries failing work has before it is taken back; 0 for strict TCR: at once.
    patience = 5

    # How long one test run may take, in seconds.
    timeout_s = 120

    # Which files are tests; the usual names of every common language are built in.
    # tests = ["tests/**", "*_test.py"]

    # Files that are always writable and never judged: generated code, migrations.
    # exempt = ["generated/**"]

    # A command that must be clean before a commit. Found: `eslint.config.js`.
    # lint = "npx eslint ."
    "#);
    let config = good(&text);
    let expected = Config {
        test: shell("npm test"),
        ..Config::default()
    };
    assert_eq!(config, expected);
}

#[test]
fn the_first_config_parses_back_whatever_was_found() {
    let odd = "echo \"a'b\\c\" \t'''\"\"\" # ü\nx";
    let project = |path: &str, covered| FoundProject {
        path: path.to_owned(),
        test: Some(found(odd, odd)),
        lint: None,
        language: None,
        covered,
    };
    let detected = Detected {
        test: Some(found(odd, odd)),
        candidates: vec![found("other\n[x]", odd)],
        lint: Some(found(odd, odd)),
        language: None,
        unreadable: Vec::new(),
        projects: vec![project("b\n\"'", false), project("a", true)],
    };
    let config = good(render_first(&detected));
    assert_eq!(config.test, shell(odd));
    assert_eq!(config.projects.len(), 1);
    assert_eq!(config.projects[0].path, "b\n\"'");
    assert_eq!(config.projects[0].test, shell(odd));
    assert_eq!(config.lint, None);

    let nothing = render_first(&Detected::default());
    assert!(nothing.contains("# How to run the tests. Nothing was detected: please fill it in.\n"));
    assert_eq!(good(nothing), Config::default());
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>) {
        let _ = parse(&bytes);
    }

    #[test]
    fn no_toml_like_text_makes_it_panic(
        text in "(mode|tests?|needs|path|on|\\[\\[project\\]\\]\n|\\[validator\\]\n| = |\"[a*{\\[\\]}]*\"|'é'|\\[|\\]|,|\n|\\{|\\}|-?[0-9]{1,25}){0,20}"
    ) {
        let _ = parse(text);
    }
}
