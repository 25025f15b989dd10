//! What a change of each key comes to, in manifests that are trees.

use super::samples::*;
use super::*;

#[test]
fn package_json() {
    check(
        "package.json",
        PACKAGE,
        &[
            ("1.4.0", "1.5.0", "a"),
            ("A shop", "The shop", "a"),
            ("[\"dist\"]", "[\"dist\", \"bin\"]", "a"),
            ("\"extends\": \"standard\"", "\"extends\": \"x\"", "a"),
            (
                "\"chalk\": \"^5.3.0\"",
                "\"chalk\": \"^5.3.0\", \"zod\": \"^3\"",
                "d",
            ),
            ("\"vitest\": \"^1.6.0\"", "\"vitest\": \"^2.0.0\"", "d"),
            ("\"vitest\": \"^1.6.0\"", "\"vitest\": \"file:./fake\"", "s"),
            (
                "\"vitest\": \"^1.6.0\"",
                "\"vitest\": \"git+file:///tmp/x\"",
                "s",
            ),
            ("\"vitest\": \"^1.6.0\"", "\"vitest\": \"/tmp/x\"", "s"),
            (">=18", ">=20", "d"),
            ("vitest run", "true", "s"),
            ("vitest run", "node --require ./src/setup.cjs --test", "s"),
            ("tsc -p .", "true", "s"),
            (
                "\"lint\": \"eslint .\"",
                "\"lint\": \"eslint .\", \"start\": \"node .\"",
                "a",
            ),
            (
                "\"lint\": \"eslint .\"",
                "\"lint\": \"eslint .\", \"posttest\": \"true\"",
                "s",
            ),
            (
                "\"lint\": \"eslint .\"",
                "\"lint\": \"eslint .\", \"test:unit\": \"x\"",
                "s",
            ),
            ("\"jsdom\"", "\"node\"", "s"),
            ("\"lines\": 90", "\"lines\": 10", "s"),
            ("\"module\"", "\"commonjs\"", "s"),
            (
                "./dist/index.cjs\",\n  \"exports\"",
                "./x.cjs\",\n  \"exports\"",
                "s",
            ),
            (
                "\"./cart\": \"./dist/cart.js\"",
                "\"./cart\": \"./src/fake.js\"",
                "s",
            ),
            (
                "\"./cart\": \"./dist/cart.js\"",
                "\"./cart\": \"./dist/cart.js\", \"./slugs\": \"./dist/slugs.js\"",
                "a",
            ),
            (
                "\"import\": \"./dist/index.js\",\n      \"require\": \"./dist/index.cjs\"",
                "\"require\": \"./dist/index.cjs\",\n      \"import\": \"./dist/index.js\"",
                "s",
            ),
            ("[\"packages/*\"]", "[\"packages/*\", \"tools\"]", "a"),
            ("[\"packages/*\"]", "[]", "s"),
            (
                "\"engines\"",
                "\"overrides\": { \"vitest\": \"file:./fake\" }, \"engines\"",
                "s",
            ),
            (
                "\"engines\"",
                "\"overrides\": { \"semver\": \"^7.5.2\" }, \"engines\"",
                "d",
            ),
            (
                "\"engines\"",
                "\"imports\": { \"#x\": \"./x.js\" }, \"engines\"",
                "a",
            ),
            (
                "\"engines\"",
                "\"mocha\": { \"require\": \"./src/setup.js\" }, \"engines\"",
                "s",
            ),
            ("1.4.0\",", "1.5.0\",\n  \"keywords\": [\"a\"],", "a"),
        ],
    );
}

#[test]
fn pyproject_toml() {
    check(
        "pyproject.toml",
        PYPROJECT,
        &[
            ("0.3.1", "0.4.0", "a"),
            ("\"httpx\",", "\"httpx\", \"rich\",", "d"),
            ("[\"pytest\", \"ruff\"]", "[\"pytest\"]", "d"),
            ("test = [\"pytest>=8\"", "test = [\"pytest>=7\"", "d"),
            (">=3.10", ">=3.11", "d"),
            ("hatchling>=1.20", "hatchling>=1.21", "d"),
            ("hatchling.build", "evil.build", "s"),
            ("shop.cli:main", "shop.cli:run", "a"),
            (
                "[tool.ruff]",
                "[project.entry-points.pytest11]\nx = \"shop.plugin\"\n[tool.ruff]",
                "s",
            ),
            (
                "[tool.ruff]",
                "[project.entry-points.\"shop.themes\"]\nx = \"shop.dark\"\n[tool.ruff]",
                "a",
            ),
            ("-q --strict-markers", "-p shop.plugin", "s"),
            ("testpaths = [\"tests\"]", "testpaths = [\"other\"]", "s"),
            ("pythonpath = [\"src\"]\n", "", "s"),
            ("fail_under = 90", "fail_under = 0", "s"),
            ("line-length = 100", "line-length = 80", "a"),
            ("strict = true", "strict = false", "a"),
            (
                "[tool.mypy]",
                "[tool.tox]\nlegacy_tox_ini = \"\"\n[tool.mypy]",
                "s",
            ),
            (
                "[tool.mypy]",
                "[tool.setuptools]\npackage-dir = { \"\" = \"x\" }\n[tool.mypy]",
                "s",
            ),
            (
                "[tool.mypy]",
                "[tool.setuptools]\npackages = [\"shop\"]\n[tool.mypy]",
                "a",
            ),
            (
                "[tool.mypy]",
                "[tool.uv.sources]\npytest = { path = \"./fake\" }\n[tool.mypy]",
                "s",
            ),
            (
                "[tool.mypy]",
                "[tool.uv.sources]\nshop-core = { workspace = true }\n[tool.mypy]",
                "d",
            ),
        ],
    );
    check(
        "pyproject.toml",
        POETRY,
        &[
            ("^2.31", "^2.32", "d"),
            (
                "pytest = \"^8.0\"",
                "pytest = \"^8.0\"\npytest-cov = \"*\"",
                "d",
            ),
            ("pytest = \"^8.0\"", "pytest = { path = \"fake\" }", "s"),
            (
                "serve = \"uvicorn shop:app\"",
                "serve = \"uvicorn shop:app\"\nseed = \"x\"",
                "a",
            ),
            ("test = \"pytest\"", "test = \"true\"", "s"),
            (
                "{ include = \"shop\" }",
                "{ include = \"shop\" }, { include = \"cli\" }",
                "a",
            ),
        ],
    );
    check(
        "Pipfile",
        PIPFILE,
        &[
            ("flask = \"*\"", "flask = \"*\"\nclick = \"*\"", "d"),
            ("test = \"pytest\"", "test = \"true\"", "s"),
            ("test = \"pytest\"", "test = \"pytest\"\nserve = \"x\"", "a"),
        ],
    );
}

#[test]
fn cargo_toml() {
    check(
        "Cargo.toml",
        CARGO,
        &[
            ("0.2.0", "0.3.0", "a"),
            ("license = \"MIT\"", "license = \"Apache-2.0\"", "a"),
            ("rand = \"0.8\"", "rand = \"0.8\"\nregex = \"1\"", "d"),
            (
                "features = [\"derive\"]",
                "features = [\"derive\", \"rc\"]",
                "d",
            ),
            ("proptest = \"1\"", "proptest = { path = \"fake\" }", "s"),
            (
                "proptest = \"1\"",
                "proptest = \"1\"\nhelp = { path = \"../help\" }",
                "d",
            ),
            ("rand = \"0.8\"", "rand = { workspace = true }", "d"),
            ("rustix = \"1\"", "rustix = \"2\"", "d"),
            ("edition = \"2021\"", "edition = \"2024\"", "s"),
            ("autotests = false", "autotests = true", "s"),
            (
                "license = \"MIT\"",
                "license = \"MIT\"\nbuild = \"b.rs\"",
                "s",
            ),
            ("path = \"src/lib.rs\"", "path = \"src/fake.rs\"", "s"),
            ("path = \"tests/main.rs\"", "path = \"src/b_parse.rs\"", "s"),
            (
                "[dependencies]",
                "[[test]]\nname = \"b_parse\"\npath = \"src/b_parse.rs\"\n[dependencies]",
                "s",
            ),
            (
                "[dependencies]",
                "[[bin]]\nname = \"tool\"\npath = \"src/tool.rs\"\n[dependencies]",
                "a",
            ),
            (
                "[dependencies]",
                "[[bin]]\nname = \"tool\"\ntest = false\n[dependencies]",
                "s",
            ),
            (
                "path = \"src/main.rs\"",
                "path = \"src/main.rs\"\ntest = false",
                "s",
            ),
            ("std = []", "std = []\nextra = [\"dep:rand\"]", "a"),
            ("[\"std\"]", "[\"std\", \"extra\"]", "s"),
            ("lto = true", "lto = true\noverflow-checks = false", "s"),
            ("all = \"warn\"", "all = \"deny\"", "a"),
            (
                "[lints.clippy]",
                "[patch.crates-io]\nrand = { path = \"x\" }\n[lints.clippy]",
                "s",
            ),
        ],
    );
    check(
        "Cargo.toml",
        WORKSPACE,
        &[
            ("\"crates/b\"", "\"crates/b\", \"crates/c\"", "a"),
            ("\"crates/a\", ", "", "s"),
            ("[\"fuzz\"]", "[\"fuzz\", \"crates/a\"]", "s"),
            ("1.0.0", "1.1.0", "a"),
            ("edition = \"2021\"", "edition = \"2024\"", "s"),
            ("serde = \"1\"", "serde = \"1\"\nrand = \"0.8\"", "d"),
        ],
    );
    check(
        "gradle/libs.versions.toml",
        CATALOGUE,
        &[("5.10.0", "5.11.0", "d"), ("1.9.0", "2.0.0", "s")],
    );
}

#[test]
fn pom_xml() {
    check(
        "pom.xml",
        POM,
        &[
            ("1.0-SNAPSHOT", "1.1-SNAPSHOT", "a"),
            ("5.10.0", "5.11.0", "d"),
            (
                "<maven.compiler.release>17",
                "<maven.compiler.release>21",
                "s",
            ),
            ("https://example.org<", "https://example.com<", "a"),
            ("<site.url>", "<skipTests>true</skipTests><site.url>", "s"),
            (
                "  </dependencies>",
                "    <dependency><groupId>a</groupId><artifactId>b</artifactId></dependency>\n  </dependencies>",
                "d",
            ),
            (
                "  </dependencies>",
                "    <dependency><groupId>a</groupId><artifactId>b</artifactId><systemPath>x.jar</systemPath></dependency>\n  </dependencies>",
                "s",
            ),
            (
                "<version>3.2.5</version>",
                "<version>3.2.5</version><configuration><skip>true</skip></configuration>",
                "s",
            ),
            (
                "<module>web</module>",
                "<module>web</module><module>api</module>",
                "a",
            ),
            ("<module>web</module>", "", "s"),
            (
                "<version>1</version>\n  </parent>",
                "<version>2</version>\n  </parent>",
                "d",
            ),
            (
                "<version>1</version>\n  </parent>",
                "<version>1</version><relativePath>x</relativePath>\n  </parent>",
                "s",
            ),
            ("<build>", "<build><!-- fast -->", ""),
        ],
    );
}

#[test]
fn composer_json() {
    check(
        "composer.json",
        COMPOSER,
        &[
            ("A shop", "The shop", "a"),
            (
                "\"php\": \">=8.2\"",
                "\"php\": \">=8.2\", \"monolog/monolog\": \"^3\"",
                "d",
            ),
            ("^11", "^10", "d"),
            ("\"src/\"", "\"fake/\"", "s"),
            (
                "\"src/\" }",
                "\"src/\", \"Acme\\\\Cart\\\\\": \"cart/\" }",
                "a",
            ),
            (
                "\"tests/\" }",
                "\"tests/\", \"PHPUnit\\\\\": \"fake/\" }",
                "s",
            ),
            ("src/helpers.php", "src/fake.php", "s"),
            ("phpunit\"\n", "true\"\n", "s"),
            ("\"test\": ", "\"serve\": \"php -S x\", \"test\": ", "a"),
            (
                "\"pestphp/pest-plugin\": true",
                "\"pestphp/pest-plugin\": false",
                "d",
            ),
            ("300", "0", "s"),
            (
                "\"require\":",
                "\"repositories\": [{ \"type\": \"path\", \"url\": \"fake\" }], \"require\":",
                "s",
            ),
            (
                "\"require\":",
                "\"repositories\": [{ \"type\": \"vcs\", \"url\": \"https://x\" }], \"require\":",
                "d",
            ),
        ],
    );
}

#[test]
fn deno_json() {
    check(
        "deno.json",
        DENO,
        &[
            ("assert@1", "assert@2", "d"),
            ("jsr:@std/assert@1", "./fake.ts", "s"),
            ("deno test -A", "true", "s"),
            ("\"dev\":", "\"seed\": \"x\", \"dev\":", "a"),
            ("\"strict\": true", "\"strict\": false", "s"),
            ("100", "80", "a"),
        ],
    );
}

#[test]
fn a_new_manifest_may_say_what_it_is() {
    let table: &[(&str, &str, &str)] = &[
        (
            "a/package.json",
            "{\"name\": \"a\", \"type\": \"module\", \"main\": \"x.js\", \"dependencies\": {\"x\": \"1\"}}",
            "da",
        ),
        (
            "a/package.json",
            "{\"scripts\": {\"test\": \"true\"}}",
            "sa",
        ),
        (
            "a/Cargo.toml",
            "[package]\nname = \"a\"\nedition = \"2024\"\n[dependencies]\nserde = \"1\"\n",
            "da",
        ),
        (
            "a/Cargo.toml",
            "[package]\nname = \"a\"\nbuild = \"x.rs\"\n",
            "sa",
        ),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\naddopts = \"-x\"\n",
            "sa",
        ),
        ("pyproject.toml", "[tool.pytest.ini_options]\n", "sa"),
        (
            "pyproject.toml",
            "[build-system]\nrequires = [\"x\"]\nbuild-backend = \"x.y\"\n[project]\nname = \"x\"\n",
            "da",
        ),
    ];
    for (path, text, expected) in table {
        let change = compare(path.as_bytes(), None, Some(text.as_bytes())).expect("it is read");
        assert_eq!(parts_of(&change), *expected, "{path}: {text}: {change:?}");
    }
    let gone = compare(b"package.json", Some(PACKAGE.as_bytes()), None).expect("it is read");
    assert_eq!(parts_of(&gone), "dsa");
}

#[test]
fn the_keys_that_steer_are_named() {
    let changed = PACKAGE
        .replace("vitest run", "true")
        .replace("jsdom", "node");
    let change = compare(
        b"package.json",
        Some(PACKAGE.as_bytes()),
        Some(changed.as_bytes()),
    );
    assert_eq!(
        change.expect("it is read").steering_keys,
        ["jest", "scripts.test"]
    );
}
