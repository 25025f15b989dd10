//! Manifests as real projects have them.

pub(super) const PACKAGE: &str = r#"{
  "name": "shop",
  "version": "1.4.0",
  "description": "A shop",
  "license": "MIT",
  "author": "Ada <ada@example.org>",
  "type": "module",
  "main": "./dist/index.cjs",
  "exports": {
    ".": {
      "import": "./dist/index.js",
      "require": "./dist/index.cjs"
    },
    "./cart": "./dist/cart.js"
  },
  "files": ["dist"],
  "workspaces": ["packages/*"],
  "engines": { "node": ">=18" },
  "scripts": {
    "build": "tsc -p .",
    "pretest": "npm run build",
    "test": "vitest run",
    "lint": "eslint ."
  },
  "jest": {
    "testEnvironment": "jsdom",
    "coverageThreshold": { "global": { "lines": 90 } }
  },
  "eslintConfig": { "extends": "standard" },
  "dependencies": {
    "chalk": "^5.3.0"
  },
  "devDependencies": {
    "typescript": "^5.4.0",
    "vitest": "^1.6.0"
  }
}
"#;

pub(super) const PYPROJECT: &str = r#"[build-system]
requires = ["hatchling>=1.20"]
build-backend = "hatchling.build"

[project]
name = "shop"
version = "0.3.1"
description = "A shop"
requires-python = ">=3.10"
dependencies = [
    "click>=8",  # the command line
    "httpx",
]

[project.optional-dependencies]
dev = ["pytest", "ruff"]

[project.scripts]
shop = "shop.cli:main"

[dependency-groups]
test = ["pytest>=8", "pytest-cov"]

[tool.pytest.ini_options]
addopts = "-q --strict-markers"
testpaths = ["tests"]
pythonpath = ["src"]

[tool.coverage.report]
fail_under = 90

[tool.ruff]
line-length = 100

[tool.mypy]
strict = true
"#;

pub(super) const POETRY: &str = r#"[tool.poetry]
name = "shop"
version = "0.1.0"
packages = [{ include = "shop" }]

[tool.poetry.dependencies]
python = "^3.11"
requests = { version = "^2.31", extras = ["socks"] }

[tool.poetry.group.dev.dependencies]
pytest = "^8.0"

[tool.poe.tasks]
test = "pytest"
serve = "uvicorn shop:app"

[build-system]
requires = ["poetry-core"]
build-backend = "poetry.core.masonry.api"
"#;

pub(super) const CARGO: &str = r#"[package]
name = "shop"
version = "0.2.0"
edition = "2021"
license = "MIT"
autotests = false

[lib]
name = "shop"
path = "src/lib.rs"

[[bin]]
name = "shop"
path = "src/main.rs"

[[test]]
name = "it"
path = "tests/main.rs"

[dependencies]
serde = { version = "1.0", features = ["derive"] } # data
rand = "0.8"

[dev-dependencies]
proptest = "1"

[target.'cfg(unix)'.dependencies]
rustix = "1"

[features]
default = ["std"]
std = []

[profile.release]
lto = true

[lints.clippy]
all = "warn"
"#;

pub(super) const WORKSPACE: &str = r#"[workspace]
members = ["crates/a", "crates/b"]
exclude = ["fuzz"]
resolver = "2"

[workspace.package]
version = "1.0.0"
edition = "2021"

[workspace.dependencies]
serde = "1"

[patch.crates-io]
left = { git = "https://example.org/left" }
"#;

pub(super) const PIPFILE: &str = "[[source]]\nurl = \"https://pypi.org/simple\"\nname = \"pypi\"\n\n[packages]\nflask = \"*\"\n\n[dev-packages]\npytest = \"*\"\n\n[scripts]\ntest = \"pytest\"\n";

pub(super) const CATALOGUE: &str = "[versions]\njunit = \"5.10.0\"\n\n[libraries]\njunit = { module = \"org.junit.jupiter:junit-jupiter\", version.ref = \"junit\" }\n\n[plugins]\nkotlin = { id = \"org.jetbrains.kotlin.jvm\", version = \"1.9.0\" }\n";

pub(super) const SETUP_CFG: &str = "[metadata]\nname = shop\nversion = 1.0\n\n[options]\npackages = find:\npackage_dir =\n    = src\ninstall_requires =\n    click>=8\n    # for the web\n    httpx\n\n[options.extras_require]\ndev = pytest\n\n[options.entry_points]\nconsole_scripts =\n    shop = shop.cli:main\n\n[tool:pytest]\naddopts = -q\ntestpaths = tests\n\n[coverage:report]\nfail_under = 80\n\n[flake8]\nmax-line-length = 100\n";

pub(super) const POM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.example</groupId>
    <artifactId>parent</artifactId>
    <version>1</version>
  </parent>
  <artifactId>shop</artifactId>
  <version>1.0-SNAPSHOT</version>
  <modules>
    <module>core</module>
    <module>web</module>
  </modules>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <junit.version>5.10.0</junit.version>
    <site.url>https://example.org</site.url>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>${junit.version}</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.2.5</version>
      </plugin>
    </plugins>
  </build>
</project>
"#;

pub(super) const GRADLE: &str = "plugins {\n    id 'java'\n}\n\ngroup = 'org.example'\nversion = '1.0'\n\nrepositories {\n    mavenCentral()\n}\n\ndependencies {\n    testImplementation 'org.junit.jupiter:junit-jupiter:5.10.0'\n}\n\ntest {\n    useJUnitPlatform()\n}\n\ntasks.named('jar') {\n    manifest { attributes 'Main-Class': 'shop.Main' }\n}\n";

pub(super) const SETTINGS: &str = "rootProject.name = 'shop'\ninclude 'core'\ninclude 'web'\n";

pub(super) const GRADLE_PROPERTIES: &str =
    "version=1.0\norg.gradle.jvmargs=-Xmx2g \\\n  -ea\nsystemProp.user.language=en\n";

pub(super) const GO_MOD: &str = "module example.org/shop\n\ngo 1.22\n\nrequire (\n\tgithub.com/google/go-cmp v0.6.0\n\tgolang.org/x/text v0.14.0 // indirect\n)\n\nreplace github.com/a/b => ../b\n\nexclude golang.org/x/net v1.2.3\n";

pub(super) const COMPOSER: &str = r#"{
    "name": "acme/shop",
    "description": "A shop",
    "require": {
        "php": ">=8.2"
    },
    "require-dev": {
        "phpunit/phpunit": "^11"
    },
    "autoload": {
        "psr-4": { "Acme\\Shop\\": "src/" },
        "files": ["src/helpers.php"]
    },
    "autoload-dev": {
        "psr-4": { "Acme\\Shop\\Tests\\": "tests/" }
    },
    "scripts": {
        "test": "phpunit"
    },
    "config": {
        "sort-packages": true,
        "allow-plugins": { "pestphp/pest-plugin": true },
        "process-timeout": 300
    }
}
"#;

pub(super) const GEMFILE: &str = "source \"https://rubygems.org\"\n\nruby \"3.3.0\"\ngem \"rails\", \"~> 7.1\"\n\ngroup :test do\n  gem \"rspec\", \"~> 3.13\" # tests\nend\n";

pub(super) const GEMSPEC: &str = "Gem::Specification.new do |spec|\n  spec.name = \"shop\"\n  spec.version = \"1.0\"\n  spec.require_paths = [\"lib\"]\n  spec.add_dependency \"rack\", \"~> 3.0\"\nend\n";

pub(super) const MAKEFILE: &str = "CC = gcc\nCFLAGS = -O2\nPREFIX ?= /usr/local\nTESTFLAGS := -v\n\n.PHONY: all test clean\n\nall: shop\n\nshop: main.o\n\t$(CC) $(CFLAGS) -o $@ $^\n\ntest: unit\n\t./run-tests $(TESTFLAGS)\n\nunit: fixtures\n\t$(MAKE) seed\n\nfixtures:\n\tcp a b\n\nseed:\n\t./seed\n\nclean:\n\trm -f *.o \\\n\t  shop\n\nifdef DEBUG\ninstall:\n\tcp shop $(PREFIX)\nendif\n";

pub(super) const JUSTFILE: &str = "set shell := [\"bash\", \"-c\"]\n\nflags := \"-v\"\nport := \"80\"\n\nalias t := test\n\n# runs them\n[private]\ntest *args: build\n    cargo test {{flags}} {{args}}\n    just seed\n\nbuild:\n    cargo build\n\nseed:\n    ./seed\n\nserve: (build)\n    ./serve {{port}}\n";

pub(super) const RAKEFILE: &str = "require \"rake/testtask\"\n\nRake::TestTask.new do |t|\n  t.pattern = \"test/**/*_test.rb\"\nend\n\ntask :docs do\n  sh \"yard\"\nend\n";

pub(super) const CMAKE: &str = "project(shop)\nfind_package(GTest REQUIRED)\nadd_library(shop src/shop.cc)\nenable_testing()\nadd_executable(shop_test test/shop_test.cc)\nadd_test(NAME shop COMMAND shop_test)\n";

pub(super) const MIX: &str = "defmodule Shop.MixProject do\n  def project do\n    [\n      app: :shop,\n      version: \"0.1.0\",\n      test_paths: [\"test\"]\n    ]\n  end\n\n  defp deps do\n    [\n      {:phoenix, \"~> 1.7\"}\n    ]\n  end\nend\n";

pub(super) const SETUP_PY: &str = "from setuptools import setup\nsetup(\n    name=\"shop\",\n    install_requires=[\"click\"],\n    test_suite=\"tests\",\n)\n";

pub(super) const NPMRC: &str = "registry=https://registry.npmjs.org/\nnode-options=--no-warnings\n";

pub(super) const DENO: &str = r#"{
  "tasks": { "test": "deno test -A", "dev": "deno run main.ts" },
  "imports": { "@std/assert": "jsr:@std/assert@1" },
  "compilerOptions": { "strict": true },
  "fmt": { "lineWidth": 100 }
}
"#;

pub(super) const ALL: &[(&str, &str)] = &[
    ("package.json", PACKAGE),
    ("pyproject.toml", PYPROJECT),
    ("pyproject.toml", POETRY),
    ("Cargo.toml", CARGO),
    ("Cargo.toml", WORKSPACE),
    ("Pipfile", PIPFILE),
    ("gradle/libs.versions.toml", CATALOGUE),
    ("setup.cfg", SETUP_CFG),
    ("pom.xml", POM),
    ("build.gradle", GRADLE),
    ("settings.gradle", SETTINGS),
    ("gradle.properties", GRADLE_PROPERTIES),
    ("go.mod", GO_MOD),
    ("composer.json", COMPOSER),
    ("Gemfile", GEMFILE),
    ("shop.gemspec", GEMSPEC),
    ("Makefile", MAKEFILE),
    ("deno.json", DENO),
    ("Justfile", JUSTFILE),
    (".npmrc", NPMRC),
    ("Rakefile", RAKEFILE),
    ("CMakeLists.txt", CMAKE),
    ("mix.exs", MIX),
    ("setup.py", SETUP_PY),
];
