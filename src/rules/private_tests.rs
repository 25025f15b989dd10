//! Which names are private, and which only look like it.

use super::*;

fn private(path: &str) -> bool {
    is_private(path.as_bytes(), Some(100))
}

#[test]
fn what_is_in_no_commit() {
    for path in [
        // Secrets.
        ".env",
        "app/.env.local",
        ".env.production",
        ".ENV",
        ".env-staging",
        ".envrc",
        "tests/.env",
        ".netrc",
        ".pypirc",
        ".git-credentials",
        "client_secret_1.apps.googleusercontent.com.json",
        "credentials.json",
        "infra/terraform.tfstate",
        "infra/terraform.tfstate.backup",
        ".aws/credentials",
        // Keys.
        "server.key",
        "certs/server.pem",
        "app.p12",
        "app.pfx",
        "release.keystore",
        "release.jks",
        "id_rsa",
        "id_rsa.pub",
        "keys/id_ed25519_work",
        // Editors.
        ".idea/workspace.xml",
        "packages/a/.idea/misc.xml",
        ".vscode/ipch/a.bin",
        ".vs/config.v",
        ".history/add_1.py",
        "a.sublime-workspace",
        "a.csproj.user",
        ".add.py.swp",
        "add.swp",
        ".swp",
        "src/add.py~",
        ".#add.py",
        "src/#add.py#",
        "4913",
        // Coverage.
        ".coverage",
        ".coverage.host.1234.5678",
        "coverage/index.html",
        "coverage/lcov.info",
        "coverage/sorter.js",
        "coverage/src/add.ts.html",
        "packages/a/coverage/lcov-report/add.js.html",
        "packages/a/coverage/coverage-final.json",
        "htmlcov/index.html",
        ".nyc_output/1.json",
        "lcov.info",
        "coverage.xml",
        "coverage.out",
        "default_1.profraw",
        // Logs and databases.
        "debug.log",
        "logs/server.log.12",
        "npm-debug.log",
        "nohup.out",
        "dev.db",
        "app.sqlite",
        "app.sqlite3",
        "app.sqlite3-wal",
        "data/app.db-journal",
        "dump.rdb",
        // Caches and what is installed.
        ".cache/a",
        ".pytest_cache/v/cache/lastfailed",
        "src/__pycache__/add.cpython-312.pyc",
        "add.pyc",
        ".mypy_cache/a.json",
        ".ruff_cache/a",
        "node_modules/left-pad/index.js",
        "packages/a/node_modules/x",
        ".venv/bin/python",
        ".tox/py/log.txt",
        "shop.egg-info/PKG-INFO",
        ".next/a.js",
        ".turbo/a",
        ".eslintcache",
        "tsconfig.tsbuildinfo",
        // Operating systems.
        ".DS_Store",
        "img/Thumbs.db",
        "desktop.ini",
        "._add.py",
    ] {
        assert!(private(path), "{path}");
    }
}

#[test]
fn what_only_looks_like_it() {
    for path in [
        "",
        "/",
        "src/add.py",
        ".gitignore",
        ".env.example",
        ".env.sample",
        ".env.template",
        ".env.dist",
        ".env.local.example",
        ".env-example",
        ".envoy.yaml",
        ".environment",
        "env.py",
        "src/env/prod.ts",
        ".npmrc",
        ".coveragerc",
        ".vscode/settings.json",
        ".vscode/launch.json",
        ".vscode/tasks.json",
        ".vscode/extensions.json",
        ".vscode/js.code-snippets",
        "src/coverage/report.py",
        "src/coverage/index.html",
        "coverage/collector.py",
        "coverage/report.js",
        "coverage/Makefile",
        "src/log.py",
        "src/logs/reader.go",
        "catalog",
        ".log",
        "src/db.ts",
        "db/migrate/1_a.rb",
        "src/sqlite.rs",
        "schema.sqlite.sql",
        "src/key.py",
        "src/keys/public_key.go",
        "id_rsa_reader.py",
        "src/credentials.json",
        ".aws/task-definition.json",
        "src/cache/lru.py",
        "src/cache.rs",
        "idea/a.txt",
        ".github/workflows/ci.yml",
        ".claude/settings.json",
        ".yarn/cache/a.zip",
        "notes#1",
        "4913.py",
        "package-lock.json",
        "build/app.js",
        "target/a",
        "_.py",
        "._",
    ] {
        assert!(!private(path), "{path}");
    }
}

#[test]
fn data_of_tests_is_work() {
    for (path, expected) in [
        ("tests/fixtures/.env", false),
        ("tests/fixtures/server.key", false),
        ("pkg/testdata/id_rsa", false),
        ("testdata/access.log", false),
        ("fixtures/app/node_modules/a/index.js", false),
        ("golden/coverage.xml", false),
        ("test/fixtures/.idea/a.xml", false),
        ("tests/certs/server.pem", false),
        ("tests/data/app.sqlite", false),
        ("spec/data/access.log", false),
        ("tests/.coverage", true),
        ("tests/__pycache__/test_a.pyc", true),
        ("tests/fixtures/__pycache__/a.pyc", true),
        ("tests/fixtures/.DS_Store", true),
        ("tests/fixtures/.a.json.swp", true),
        ("tests/node_modules/a/index.js", true),
        ("tests.log", true),
    ] {
        assert_eq!(private(path), expected, "{path}");
    }
}

#[test]
fn what_is_very_large_is_left_to_a_person() {
    for (size, expected) in [
        (None, false),
        (Some(0), false),
        (Some(5_000_000), false),
        (Some(5_000_001), true),
        (Some(u64::MAX), true),
    ] {
        assert_eq!(is_private(b"src/model.py", size), expected, "{size:?}");
        assert_eq!(is_private(b"testdata/a", size), expected, "{size:?}");
    }
}

#[test]
fn a_name_need_not_be_text() {
    assert!(is_private(b"\xff/.env", None));
    assert!(!is_private(b".env\xff", None));
    assert!(is_private(b"\xff.log", None));
    assert!(!is_private(b"\xff", None));
}

#[test]
fn names_that_editors_give() {
    for name in [
        ".add.py.swp",
        ".add.py.swo",
        ".add.py.swx",
        "4913",
        "#add.py#",
        ".#add.py",
        "add.py~",
        ".add.py.un~",
        ".goutputstream-A1B2C3",
        ".add.py.kate-swp",
        "add.py___jb_tmp___",
    ] {
        assert!(is_editor_scratch(name.as_bytes()), "{name}");
    }
}

#[test]
fn names_that_people_give() {
    for name in [
        "add.py",
        "add.swp",
        "~",
        "#",
        ".swift",
        ".env",
        "4913.py",
        "notes#1",
        ".swc.json",
        "Player.swf",
        ".gitignore",
        "a#b#c",
        "",
    ] {
        assert!(!is_editor_scratch(name.as_bytes()), "{name}");
    }
}
