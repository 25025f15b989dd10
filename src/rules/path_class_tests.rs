use super::*;
use PathClass::*;

fn classifier(rules: ClassRules) -> Classifier {
    Classifier::new(rules).expect("the patterns of the test are good")
}

fn check(classifier: &Classifier, table: &[(&str, PathClass)]) {
    for (path, expected) in table {
        assert_eq!(classifier.classify(path.as_bytes()), *expected, "{path}");
    }
}

fn globs(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|p| (*p).to_owned()).collect()
}

#[test]
fn default_tests() {
    let paths = [
        "tests/test_calc.py",
        "tests/fixtures/a.json",
        "tests/README.md",
        "test/foo.rb",
        "src/__tests__/a.js",
        "web/__mocks__/fs.js",
        "a/__snapshots__/b.test.ts.snap",
        "spec/models/user_spec.rb",
        "spec/fixtures/a.json",
        "specs/login.js",
        "pkg/testdata/x.golden",
        "src/test/java/com/acme/Util.java",
        "app/src/androidTest/java/A.kt",
        "src/commonTest/kotlin/A.kt",
        "calc_test.go",
        "src/calc_test.rs",
        "src/calc/tests.rs",
        "src/Calc_Test.rs",
        "SRC/CALC_TEST.RS",
        "src/test_calc.py",
        "src/calc_test.py",
        "app/tests.py",
        "test.js",
        "test.py",
        "a.test.ts",
        "a.test.tsx",
        "a.spec.mjs",
        "a-test.js",
        "a_test.ts",
        "test-a.js",
        "a.cy.ts",
        "app.e2e-spec.ts",
        "CalcTest.java",
        "TestCalc.java",
        "HTTPTest.java",
        "CalcIT.java",
        "CalcTests.cs",
        "CalcSpec.kt",
        "CalcSpec.scala",
        "CalcSuite.scala",
        "CalcTest.php",
        "CalcCest.php",
        "CalcSpec.hs",
        "Spec.hs",
        "CalcTests.swift",
        "calc_test.exs",
        "calc_test.dart",
        "calc_test.cc",
        "calc_unittest.cc",
        "test_calc.c",
        "calc_spec.lua",
        "test-calc.R",
        "calc_SUITE.erl",
        "calc_tests.erl",
        "Calc.Tests.ps1",
        "Acme.Tests/Calc.cs",
        "Acme.UnitTests/data.json",
        "AcmeUITests/Login.swift",
        "core-tests/src/A.java",
        "cli.bats",
        "t/basic.t",
        "login.feature",
        "a.phpt",
        "src/snapshots/lib__a.snap",
        "out.approved.txt",
        "out.verified.json",
        "cypress/support/commands.js",
        "e2e/login.ts",
        "features/step_definitions/a.rb",
        "src/calc_test.clj",
        "tests",
        "calc-tests.el",
        "policy_test.rego",
        "_test/extra.txt",
        "extra/_test/notes.md",
        "fixtures/user.json",
        "pkg/golden/out.html",
        "render.golden",
        "render.golden.html",
        "spec/fixtures/page.md",
        "a/__snapshots__/b.raw",
        "tests/__snapshots__/test_a.ambr",
    ];
    for path in paths {
        assert_eq!(
            classifier(ClassRules::default()).classify(path.as_bytes()),
            Test,
            "{path}"
        );
    }
}

#[test]
fn names_that_only_sound_like_tests_are_source() {
    let paths = [
        "src/contest.py",
        "src/attestation.rs",
        "src/protest.rs",
        "src/testing_tools.py",
        "src/spec_reader.py",
        "src/attest.rs",
        "Latest.java",
        "Contests/Contest.cs",
        "KeySpec.java",
        "AUDIT.java",
        "src/greatest.go",
        "import_spec.py",
        "api_spec.go",
        "src/latest/a.js",
        "src/Test.java",
        "commands/test.rs",
        "lib/inspect.rb",
        "src/unittest/__init__.py",
        "TestifyAdapter.go",
        "src/specification.ts",
        "testament.py",
        "Testament.java",
        "src/golden.rs",
        "src/golden_ratio.py",
        "src/build.rs",
        "crates/a/src/commands/build.rs",
        "src/prices.config.js",
        "src/app/app.config.ts",
    ];
    for path in paths {
        assert_eq!(
            classifier(ClassRules::default()).classify(path.as_bytes()),
            Source,
            "{path}"
        );
    }
}

#[test]
fn default_harness() {
    let paths = [
        "conftest.py",
        "tests/conftest.py",
        "CONFTEST.PY",
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
        "tox.ini",
        "noxfile.py",
        "sitecustomize.py",
        "src/usercustomize.py",
        "vitest.config.ts",
        "packages/a/vitest.config.mts",
        "vitest.unit.config.ts",
        "vitest.workspace.ts",
        "jest.config.js",
        "jest-e2e.config.js",
        "jest.setup.ts",
        "src/setupTests.ts",
        ".mocharc.json",
        ".mocharc",
        "karma.conf.js",
        "cypress.config.ts",
        "playwright.config.ts",
        ".nycrc",
        ".nycrc.json",
        "phpunit.xml",
        "phpunit.xml.dist",
        "tests/bootstrap.php",
        ".rspec",
        "spec/spec_helper.rb",
        "spec/rails_helper.rb",
        "test/test_helper.exs",
        ".config/nextest.toml",
        ".cargo/config.toml",
        "sub/.cargo/config",
        "junit-platform.properties",
        "a.runsettings",
        "App.xctestplan",
        "dart_test.yaml",
        ".proverc",
        ".busted",
        ".mvn/maven.config",
        "testem.js",
        ".env.test",
        "tests/Pest.php",
        "build.rs",
        "crates/a/build.rs",
        "vite.config.ts",
        "packages/web/vite.config.mjs",
        "babel.config.js",
        ".babelrc",
        "tsconfig.json",
        "packages/web/tsconfig.build.json",
        ".coveragerc",
        ".c8rc.json",
        "bunfig.toml",
    ];
    for path in paths {
        assert_eq!(
            classifier(ClassRules::default()).classify(path.as_bytes()),
            Harness,
            "{path}"
        );
    }
}

#[test]
fn a_new_file_named_after_a_runner_steers() {
    for path in [
        "pytest_plugin.py",
        "src/jest-env.js",
        "vitest.unit.ts",
        ".jestrc",
        "mocha.json",
        "pytest-ci.ini",
        "conftest_db.py",
        "vite.shared.ts",
        "spec/rspec_extra.rb",
    ] {
        assert!(is_harness_when_new(path.as_bytes()), "{path}");
    }
    for path in [
        "src/runners/jest.rs",
        "avatar.js",
        "jester.js",
        "pytest-notes.md",
        "junit.xml",
        "jest-results.json",
        "src/pester.php",
        "toxic.py",
        "invite.ts",
        "src/a.py",
    ] {
        assert!(!is_harness_when_new(path.as_bytes()), "{path}");
    }
}

#[test]
fn default_source_docs_and_other() {
    check(
        &classifier(ClassRules::default()),
        &[
            ("src/calc.rs", Source),
            ("src/lib.py", Source),
            ("web/app.vue", Source),
            ("scripts/build.sh", Source),
            ("a.ipynb", Source),
            ("docs/conf.py", Source),
            ("license.py", Source),
            ("README.md", Docs),
            ("readme", Docs),
            ("LICENSE", Docs),
            ("LICENSE-MIT", Docs),
            ("COPYING.LESSER", Docs),
            ("CHANGELOG.txt", Docs),
            ("docs/guide.rst", Docs),
            ("docs/notes.txt", Docs),
            ("logo.svg", Docs),
            ("a.pdf", Docs),
            ("a.adoc", Docs),
            ("spec/README.md", Docs),
            ("specs/001/plan.md", Docs),
            ("docs/opencode.json.md", Docs),
            (".github/ISSUE_TEMPLATE/bug.md", Docs),
            ("package.json", Other),
            ("Cargo.toml", Other),
            ("Cargo.lock", Other),
            ("Makefile", Other),
            ("pyproject.toml", Other),
            ("setup.py", Other),
            ("mix.exs", Other),
            ("build.gradle.kts", Other),
            ("packages/web/tailwind.config.js", Other),
            ("eslint.config.mjs", Other),
            ("requirements.txt", Other),
            ("CMakeLists.txt", Other),
            ("style.css", Other),
            ("schema.sql", Other),
            ("data.json", Other),
            (".gitignore", Other),
            (".editorconfig", Other),
            ("license.json", Other),
            ("bin/run", Other),
            ("specs/001/api.yaml", Other),
            (".claude/commands/review.json", Other),
        ],
    );
}

#[test]
fn protected_in_every_spelling() {
    let table = [
        (".git", Protection::Git),
        (".git/config", Protection::Git),
        (".GIT/config", Protection::Git),
        ("sub/.git/HEAD", Protection::Git),
        ("git~1/config", Protection::Git),
        (".git./config", Protection::Git),
        (".git . /config", Protection::Git),
        (".git::$INDEX_ALLOCATION/config", Protection::Git),
        (".g\u{200c}it/config", Protection::Git),
        (".//.git/config", Protection::Git),
        ("", Protection::Git),
        (".", Protection::Git),
        (".tcr.toml", Protection::OwnConfig),
        (".TCR.toml", Protection::OwnConfig),
        (".githooks/pre-commit", Protection::Hooks),
        (".husky", Protection::Hooks),
        (".claude/settings.json", Protection::ClientFile),
        (".Claude/Settings.json", Protection::ClientFile),
        (".claude", Protection::ClientFile),
        (".claude/settings.local.json", Protection::ClientFile),
        ("opencode.json", Protection::ClientFile),
        (".opencode/plugin/tcr.js", Protection::ClientFile),
        (".codex/config.toml", Protection::ClientFile),
        (".cursor/rules/always.mdc", Protection::ClientFile),
        (".github/hooks/tcr.json", Protection::ClientFile),
    ];
    let classifier = classifier(ClassRules::default());
    for (path, expected) in table {
        assert_eq!(
            classifier.protection(path.as_bytes()),
            Some(expected),
            "{path}"
        );
        assert_eq!(classifier.classify(path.as_bytes()), Protected, "{path}");
    }
    for path in [
        ".gitignore",
        ".gitattributes",
        ".github/workflows/ci.yml",
        "docs/.tcr.toml",
        "git~2",
        ".gitx/a",
    ] {
        assert_eq!(classifier.protection(path.as_bytes()), None, "{path}");
    }
}

#[test]
fn the_first_class_that_matches_wins() {
    let classifier = classifier(ClassRules {
        protected: globs(&["tests/locked/"]),
        spec: Some(b"tests/SPEC.md".to_vec()),
        harness: globs(&["tests/setup.py", "gen/harness.py"]),
        exempt: globs(&["gen/", "tests/golden/"]),
        installed: vec![b"tools/agent.json".to_vec()],
        ..ClassRules::default()
    });
    check(
        &classifier,
        &[
            ("tests/locked/test_a.py", Protected),
            ("tests/SPEC.md", Spec),
            ("tests/spec.md", Test),
            ("tests/setup.py", Harness),
            ("gen/harness.py", Harness),
            ("gen/a.py", Docs),
            ("lib/gen/a.py", Docs),
            ("tests/golden/a.json", Docs),
            ("tests/a.py", Test),
            ("tools/agent.json", Protected),
            ("tools", Protected),
            ("tools/a.py", Source),
        ],
    );
    assert_eq!(
        classifier.protection(b"tests/locked/a"),
        Some(Protection::Configured)
    );
}

#[test]
fn given_tests_and_source_replace_the_defaults() {
    let classifier = classifier(ClassRules {
        tests: Some(globs(&["checks/**/*.py", "*_check.{js,ts}"])),
        source: Some(globs(&["/app/"])),
        ..ClassRules::default()
    });
    check(
        &classifier,
        &[
            ("checks/a.py", Test),
            ("checks/deep/b.py", Test),
            ("x/checks/a.py", Other),
            ("app/a_check.ts", Test),
            ("app/tests/test_a.py", Source),
            ("app/style.css", Source),
            ("sub/app/a.py", Other),
            ("conftest.py", Harness),
            ("README.md", Docs),
        ],
    );
}

#[test]
fn patterns_mean_what_people_expect() {
    let table: &[(&str, &[&str], &[&str])] = &[
        ("gen", &["gen", "gen/a", "x/gen/a"], &["genx", "x/gena"]),
        ("gen/", &["gen/a", "x/gen/a"], &["genx/a"]),
        ("/gen", &["gen", "gen/a"], &["x/gen"]),
        ("a/gen", &["a/gen", "a/gen/b/c"], &["x/a/gen"]),
        ("./a/*.sql", &["a/b.sql"], &["a/c/b.sql", "x/a/b.sql"]),
        ("a/**/b.sql", &["a/b.sql", "a/x/y/b.sql"], &["b.sql"]),
        ("*.sql", &["b.sql", "x/y/b.sql"], &["b.sqlx"]),
        ("[ab]?.sql", &["a1.sql", "x/b2.sql"], &["c1.sql"]),
    ];
    for (pattern, yes, no) in table {
        let patterns = Patterns::new(&globs(&[pattern]), false).expect("good pattern");
        for path in *yes {
            assert!(
                patterns.matches(path.as_bytes()),
                "{pattern} should match {path}"
            );
        }
        for path in *no {
            assert!(
                !patterns.matches(path.as_bytes()),
                "{pattern} should not match {path}"
            );
        }
    }
}

#[test]
fn bad_patterns_are_named() {
    for pattern in ["", "/", "!keep", "../x", "a[", "a{b"] {
        let error = Classifier::new(ClassRules {
            exempt: globs(&["ok", pattern]),
            ..ClassRules::default()
        })
        .expect_err(pattern);
        assert_eq!(error.pattern, pattern);
    }
}

#[test]
fn case_is_folded_on_request() {
    let rules = |fold_case| ClassRules {
        protected: globs(&["Locked/*.SQL"]),
        spec: Some("docs/Über.md".as_bytes().to_vec()),
        fold_case,
        ..ClassRules::default()
    };
    let table = [
        ("locked/a.sql", Protected, Other),
        ("Docs/üBER.md", Spec, Docs),
    ];
    for (path, folded, exact) in table {
        assert_eq!(
            classifier(rules(true)).classify(path.as_bytes()),
            folded,
            "{path}"
        );
        assert_eq!(
            classifier(rules(false)).classify(path.as_bytes()),
            exact,
            "{path}"
        );
    }
}

#[test]
fn names_need_not_be_text() {
    let classifier = classifier(ClassRules {
        exempt: globs(&["gen/*"]),
        ..ClassRules::default()
    });
    assert_eq!(classifier.classify(b"tests/\xff\xfe.py"), Test);
    assert_eq!(classifier.classify(b"src/\xff.py"), Source);
    assert_eq!(classifier.classify(b"gen/\xff"), Docs);
    assert_eq!(classifier.classify(b"a\nb \"c\".py"), Source);
}

#[test]
fn mixed_is_never_told_by_name() {
    let classifier = classifier(ClassRules::default());
    for path in ["src/lib.rs", "src/a.py", "src/a.ts"] {
        assert!(may_hold_tests(path.as_bytes()), "{path}");
        assert_eq!(classifier.classify(path.as_bytes()), Source);
    }
    for path in ["a.go", "Makefile", "a.java"] {
        assert!(!may_hold_tests(path.as_bytes()), "{path}");
    }
}

#[test]
fn snapshots_are_known() {
    for path in ["a.snap", "x/__snapshots__/y", "a.approved.txt"] {
        assert!(is_snapshot(path.as_bytes()), "{path}");
    }
    assert!(!is_snapshot(b"tests/a.json"));
}
