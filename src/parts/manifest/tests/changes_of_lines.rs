//! What a change comes to, in manifests that are lines and programs.

use super::samples::*;
use super::*;

#[test]
fn setup_cfg() {
    check(
        "setup.cfg",
        SETUP_CFG,
        &[
            ("version = 1.0", "version = 1.1", "a"),
            ("    httpx", "    httpx\n    rich", "d"),
            ("dev = pytest", "dev = pytest\ndocs = sphinx", "d"),
            ("addopts = -q", "addopts = -p shop.plugin", "s"),
            ("testpaths = tests", "testpaths = other", "s"),
            ("fail_under = 80", "fail_under = 0", "s"),
            ("    = src", "    = other", "s"),
            ("shop = shop.cli:main", "shop = shop.cli:run", "a"),
            (
                "console_scripts =",
                "pytest11 =\n    x = shop.plugin\nconsole_scripts =",
                "s",
            ),
            ("max-line-length = 100", "max-line-length = 80", "a"),
            ("[flake8]", "[aliases]\ntest = true\n[flake8]", "s"),
            ("    # for the web\n", "", ""),
        ],
    );
}

#[test]
fn gradle() {
    check(
        "build.gradle",
        GRADLE,
        &[
            ("version = '1.0'", "version = '1.1'", "a"),
            ("junit-jupiter:5.10.0'", "junit-jupiter:5.11.0'", "d"),
            ("mavenCentral()", "mavenCentral()\n    google()", "d"),
            (
                "useJUnitPlatform()",
                "useJUnitPlatform { excludeTags 'x' }",
                "s",
            ),
            ("id 'java'", "id 'java'\n    id 'evil'", "s"),
            ("group = ", "test.enabled = false\ngroup = ", "s"),
            (
                "    testImplementation ",
                "    testImplementation files('fake.jar')\n    testImplementation ",
                "s",
            ),
            (
                "    useJUnitPlatform()",
                "    /* why */ useJUnitPlatform() // so",
                "",
            ),
        ],
    );
    check(
        "settings.gradle",
        SETTINGS,
        &[
            ("include 'web'", "include 'web'\ninclude 'api'", "a"),
            ("include 'web'\n", "", "s"),
            ("'shop'", "'store'", "a"),
        ],
    );
    check(
        "gradle.properties",
        GRADLE_PROPERTIES,
        &[
            ("version=1.0", "version=1.1", "a"),
            ("-ea", "-da", "s"),
            ("=en", "=de", "s"),
        ],
    );
}

#[test]
fn go_mod() {
    check(
        "go.mod",
        GO_MOD,
        &[
            ("go 1.22", "go 1.23", "d"),
            ("v0.6.0", "v0.7.0", "d"),
            ("v0.6.0", "v0.6.0\n\tgithub.com/x/y v1.0.0", "d"),
            (" // indirect", "", ""),
            ("../b", "./fake", "s"),
            (
                "exclude ",
                "replace github.com/google/go-cmp => ./fake\nexclude ",
                "s",
            ),
            ("exclude golang.org/x/net v1.2.3\n", "", "s"),
            ("example.org/shop", "example.org/store", "a"),
            ("exclude ", "toolchain go1.22.1\nexclude ", "d"),
        ],
    );
    check(
        "go.work",
        "go 1.22\n\nuse (\n\t./a\n\t./b\n)\n",
        &[
            ("./b", "./b\n\t./c", "a"),
            ("\t./b\n", "", "s"),
            ("go 1.22", "go 1.22\nreplace x => ./x", "s"),
        ],
    );
}

#[test]
fn gemfile_and_gemspec() {
    check(
        "Gemfile",
        GEMFILE,
        &[
            (
                "gem \"rails\", \"~> 7.1\"",
                "gem \"rails\", \"~> 7.1\"\ngem \"pg\"",
                "d",
            ),
            ("~> 3.13", "~> 3.12", "d"),
            ("\"~> 3.13\"", "path: \"fake\"", "s"),
            (
                "ruby \"3.3.0\"",
                "ruby \"3.3.0\"\nrequire \"./lib/fake\"",
                "s",
            ),
            (
                "ruby \"3.3.0\"",
                "ruby \"3.3.0\"\n$LOAD_PATH.unshift(\"x\")",
                "s",
            ),
            (" # tests", "", ""),
        ],
    );
    check(
        "shop.gemspec",
        GEMSPEC,
        &[
            ("\"1.0\"", "\"1.1\"", "a"),
            ("~> 3.0", "~> 3.1", "d"),
            ("[\"lib\"]", "[\"fake\"]", "s"),
        ],
    );
}

#[test]
fn makefile() {
    check(
        "Makefile",
        MAKEFILE,
        &[
            ("./run-tests", "true", "s"),
            ("test: unit", "test:", "s"),
            ("./seed", "./other", "s"),
            ("cp a b", "cp c b", "s"),
            ("TESTFLAGS := -v", "TESTFLAGS := -k x", "s"),
            ("-O2", "-O3", "a"),
            ("rm -f", "rm -rf", "a"),
            ("cp shop", "install shop", "a"),
            ("all: shop", "all: shop docs", "a"),
            ("clean:\n", "docs:\n\tmkdocs\n\nclean:\n", "a"),
            ("clean:\n", "test-unit:\n\ttrue\n\nclean:\n", "s"),
            ("CC = gcc", "CC = gcc\nSHELL = ./fake", "s"),
            ("CC = gcc", "CC = gcc\ninclude fake.mk", "s"),
            ("CC = gcc", "CC = gcc\nexport PYTHONPATH = fake", "s"),
            ("CC = gcc", "CC = gcc\n.IGNORE:", "s"),
            (".PHONY: all test clean", ".PHONY: all test clean docs", "a"),
            ("all: shop", "# the whole\nall: shop # it", ""),
        ],
    );
}

#[test]
fn a_makefile_hides_no_test_target() {
    let text = "test:\n\t./run\nall:\n\tcc\n";
    let all = "all:\n\tcc\n";
    check(
        "Makefile",
        text,
        &[
            (all, "test: FLAGS = -n\nall:\n\tcc\n", "s"),
            (all, "all:\n\tcc\ntest: FLAGS = -n\n", "s"),
            (all, "all:\n\tcc\ntest:\n\ttrue\n", "s"),
            (all, "all:\n\tcc\nte%:\n\ttrue\n", "s"),
            (all, "all:\n\tcc\n$(eval test: ; true)\n", "s"),
            (all, "all:\n\tcc\nT = test\n$(T):\n\ttrue\n", "s"),
            (all, "all:\n\tcc\nrun-%:\n\t./$*\n", "a"),
        ],
    );
}

#[test]
fn a_list_of_targets_is_followed() {
    let text = "TESTS = a.test b.test\ntest: $(TESTS)\n%.test: %.c\n\t./run $<\nx.doc:\n\tdoc\n";
    check(
        "Makefile",
        text,
        &[
            ("./run", "true", "s"),
            ("b.test", "", "s"),
            ("\tdoc", "\tdocs", "a"),
        ],
    );
}

#[test]
fn justfile_and_npmrc() {
    check(
        "Justfile",
        JUSTFILE,
        &[
            ("cargo test", "true", "s"),
            ("./seed", "true", "s"),
            ("cargo build", "cargo build -r", "s"),
            ("\"-v\"", "\"--no-run\"", "s"),
            ("\"80\"", "\"81\"", "a"),
            ("./serve", "./server", "a"),
            ("\"-c\"", "\"-x\"", "s"),
            ("[private]\n", "[no-exit-message]\n", "s"),
            ("t := test", "t := serve", "a"),
            ("# runs them\n", "", ""),
        ],
    );
    check(
        ".npmrc",
        NPMRC,
        &[
            ("npmjs.org", "example.org", "d"),
            ("--no-warnings", "--require=./x.cjs", "s"),
        ],
    );
}

#[test]
fn build_programs_by_their_lines() {
    check(
        "Rakefile",
        RAKEFILE,
        &[
            ("**/*_test.rb", "none", "s"),
            ("yard", "yardoc", "a"),
            ("end\n\n", "end # x\n\n", "a"),
            ("task :docs", "# why\ntask :docs", ""),
        ],
    );
    check(
        "CMakeLists.txt",
        CMAKE,
        &[
            ("src/shop.cc", "src/shop.cc src/cart.cc", "a"),
            ("COMMAND shop_test", "COMMAND true", "s"),
            ("GTest REQUIRED", "GTest 1.14 REQUIRED", "d"),
        ],
    );
    check(
        "mix.exs",
        MIX,
        &[
            ("0.1.0", "0.2.0", "a"),
            (
                "{:phoenix, \"~> 1.7\"}",
                "{:phoenix, \"~> 1.7\"},\n{:mox, \"~> 1.0\", only: :test}",
                "d",
            ),
            ("[\"test\"]", "[\"fake\"]", "s"),
        ],
    );
    check(
        "setup.py",
        SETUP_PY,
        &[
            ("\"shop\"", "\"store\"", "a"),
            ("\"click\"", "\"click\", \"rich\"", "d"),
            ("\"tests\"", "\"fake\"", "s"),
        ],
    );
    check(
        "build.sbt",
        "name := \"shop\"\nTest / fork := true\nlibraryDependencies += \"a\" % \"b\" % \"1\" % Test\n",
        &[
            ("\"shop\"", "\"store\"", "a"),
            ("true", "false", "s"),
            ("\"1\"", "\"2\"", "d"),
        ],
    );
    check(
        "Package.swift",
        "let package = Package(\n    name: \"shop\",\n    dependencies: [\n        .package(url: \"x\", from: \"1.0.0\"),\n    ],\n    targets: [\n        .testTarget(name: \"T\", path: \"Tests\"),\n    ]\n)\n",
        &[
            ("\"shop\"", "\"store\"", "a"),
            ("1.0.0", "1.1.0", "d"),
            ("\"Tests\"", "\"Fake\"", "s"),
        ],
    );
}

#[test]
fn recipes_of_unknown_targets_steer() {
    let text = "T = test\n$(T):\n\t./run\n";
    check(
        "Makefile",
        text,
        &[("./run", "true", "s"), ("= test", "= x", "s")],
    );
}
