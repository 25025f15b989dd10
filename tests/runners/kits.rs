//! The runners, each with its small projects.

use super::{Kit, try_out};

macro_rules! kits {
    ($($name:ident: $kit:expr;)*) => {
        $(
            #[test]
            fn $name() {
                try_out(&$kit);
            }
        )*
    };
}

kits! {
    pytest: Kit {
        runner: "pytest",
        programs: &["pytest"],
        command: "pytest -q",
        common: &[("calc.py", "def add(a, b):\n    return a + b\n\ndef sub(a, b):\n    raise NotImplementedError\n")],
        pass: ("test_calc.py", "from calc import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n"),
        assertion: ("test_calc.py", "from calc import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n\ndef test_wrong():\n    assert add(1, 2) == 4\n"),
        missing: Some(("test_calc.py", "from nope import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n")),
        stub: Some(("test_calc.py", "from calc import sub\n\ndef test_subs():\n    assert sub(2, 1) == 1\n")),
        empty: Some(("test_calc.py", "")),
        leaves: Some(("test_calc.py", "import os\n\ndef test_leaves():\n    os._exit(0)\n")),
    };
    unittest: Kit {
        runner: "unittest",
        programs: &["python3"],
        command: "python3 -m unittest",
        common: &[("calc.py", "def add(a, b):\n    return a + b\n\ndef sub(a, b):\n    raise NotImplementedError\n")],
        pass: ("test_calc.py", "import unittest\nfrom calc import add\n\nclass T(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n"),
        assertion: ("test_calc.py", "import unittest\nfrom calc import add\n\nclass T(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n    def test_wrong(self):\n        self.assertEqual(add(1, 2), 4)\n"),
        missing: Some(("test_calc.py", "import unittest\nfrom nope import add\n\nclass T(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n")),
        stub: Some(("test_calc.py", "import unittest\nfrom calc import sub\n\nclass T(unittest.TestCase):\n    def test_subs(self):\n        self.assertEqual(sub(2, 1), 1)\n")),
        empty: Some(("test_calc.py", "")),
        leaves: Some(("test_calc.py", "import os, unittest\n\nclass T(unittest.TestCase):\n    def test_leaves(self):\n        os._exit(0)\n")),
    };
    node_test: Kit {
        runner: "node:test",
        programs: &["node"],
        command: "node --test",
        common: &[("calc.mjs", "export const add = (a, b) => a + b;\nexport const sub = () => { throw new Error('not implemented'); };\n")],
        pass: ("calc.test.mjs", "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from './calc.mjs';\ntest('adds', () => assert.strictEqual(add(1, 2), 3));\n"),
        assertion: ("calc.test.mjs", "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from './calc.mjs';\ntest('adds', () => assert.strictEqual(add(1, 2), 3));\ntest('wrong', () => assert.strictEqual(add(1, 2), 4));\n"),
        missing: Some(("calc.test.mjs", "import test from 'node:test';\nimport { add } from './nope.mjs';\ntest('adds', () => add(1, 2));\n")),
        stub: Some(("calc.test.mjs", "import test from 'node:test';\nimport assert from 'node:assert';\nimport { sub } from './calc.mjs';\ntest('subs', () => assert.strictEqual(sub(2, 1), 1));\n")),
        empty: Some(("readme.txt", "")),
        leaves: None,
    };
    cargo_test: Kit {
        runner: "cargo test",
        programs: &["cargo"],
        command: "cargo test --offline",
        common: &[CARGO_TOML, ("src/lib.rs", RUST_LIB)],
        pass: ("tests/it.rs", RUST_PASS),
        assertion: ("tests/it.rs", RUST_ASSERTION),
        missing: Some(("tests/it.rs", RUST_MISSING)),
        stub: Some(("tests/it.rs", RUST_STUB)),
        empty: Some(("tests/it.rs", "")),
        leaves: Some(("tests/it.rs", "#[test]\nfn leaves() {\n    std::process::exit(0);\n}\n")),
    };
    prove: Kit {
        runner: "prove",
        programs: &["prove"],
        command: "prove -l t",
        common: &[("lib/Calc.pm", "package Calc; sub add { $_[0] + $_[1] } 1;\n")],
        pass: ("t/calc.t", "use Test::More tests => 1; use Calc; is(Calc::add(1, 2), 3, 'adds');\n"),
        assertion: ("t/calc.t", "use Test::More tests => 2; use Calc; is(Calc::add(1, 2), 3, 'adds'); is(Calc::add(1, 2), 4, 'wrong');\n"),
        missing: Some(("t/calc.t", "use Test::More tests => 1; use Nope; ok(1, 'adds');\n")),
        stub: None,
        empty: Some(("t/readme.txt", "")),
        leaves: None,
    };
    vitest: Kit {
        runner: "vitest",
        programs: &["vitest"],
        command: "node_modules/.bin/vitest run",
        common: &[MODULE, ("calc.js", "export const add = (a, b) => a + b;\nexport const sub = () => { throw new Error('not implemented'); };\n")],
        pass: ("calc.test.js", "import { test, expect } from 'vitest';\nimport { add } from './calc.js';\ntest('adds', () => expect(add(1, 2)).toBe(3));\n"),
        assertion: ("calc.test.js", "import { test, expect } from 'vitest';\nimport { add } from './calc.js';\ntest('adds', () => expect(add(1, 2)).toBe(3));\ntest('wrong', () => expect(add(1, 2)).toBe(4));\n"),
        missing: Some(("calc.test.js", "import { test, expect } from 'vitest';\nimport { add } from './nope.js';\ntest('adds', () => expect(add(1, 2)).toBe(3));\n")),
        stub: Some(("calc.test.js", "import { test, expect } from 'vitest';\nimport { sub } from './calc.js';\ntest('subs', () => expect(sub(2, 1)).toBe(1));\n")),
        empty: Some(("readme.txt", "")),
        leaves: Some(("calc.test.js", "import { test } from 'vitest';\ntest('leaves', () => process.exit(0));\n")),
    };
    jest: Kit {
        runner: "jest",
        programs: &["jest"],
        command: "node_modules/.bin/jest",
        common: &[("jest.config.cjs", "module.exports = {};\n"), ("calc.cjs", "exports.add = (a, b) => a + b;\nexports.sub = () => { throw new Error('not implemented'); };\n")],
        pass: ("calc.test.cjs", "const { add } = require('./calc.cjs');\ntest('adds', () => expect(add(1, 2)).toBe(3));\n"),
        assertion: ("calc.test.cjs", "const { add } = require('./calc.cjs');\ntest('adds', () => expect(add(1, 2)).toBe(3));\ntest('wrong', () => expect(add(1, 2)).toBe(4));\n"),
        missing: Some(("calc.test.cjs", "const { add } = require('./nope.cjs');\ntest('adds', () => expect(add(1, 2)).toBe(3));\n")),
        stub: Some(("calc.test.cjs", "const { sub } = require('./calc.cjs');\ntest('subs', () => expect(sub(2, 1)).toBe(1));\n")),
        empty: Some(("readme.txt", "")),
        leaves: Some(("calc.test.cjs", "test('leaves', () => process.exit(0));\n")),
    };
    mocha: Kit {
        runner: "mocha",
        programs: &["mocha"],
        command: "node_modules/.bin/mocha --extension cjs test",
        common: &[("calc.cjs", "exports.add = (a, b) => a + b;\nexports.sub = () => { throw new Error('not implemented'); };\n"), ("test/other.cjs", "")],
        pass: ("test/calc.cjs", "const assert = require('assert');\nconst { add } = require('../calc.cjs');\nit('adds', () => assert.strictEqual(add(1, 2), 3));\n"),
        assertion: ("test/calc.cjs", "const assert = require('assert');\nconst { add } = require('../calc.cjs');\nit('adds', () => assert.strictEqual(add(1, 2), 3));\nit('wrong', () => assert.strictEqual(add(1, 2), 4));\n"),
        missing: Some(("test/calc.cjs", "const { add } = require('../nope.cjs');\nit('adds', () => add(1, 2));\n")),
        stub: Some(("test/calc.cjs", "const { sub } = require('../calc.cjs');\nit('subs', () => sub(2, 1));\n")),
        empty: Some(("test/calc.cjs", "")),
        leaves: Some(("test/calc.cjs", "it('leaves', () => process.exit(0));\n")),
    };
    bun: Kit {
        runner: "bun test",
        programs: &["bun"],
        command: "bun test",
        common: &[("calc.js", "export const add = (a, b) => a + b;\nexport const sub = () => { throw new Error('not implemented'); };\n")],
        pass: ("calc.test.js", "import { test, expect } from 'bun:test';\nimport { add } from './calc.js';\ntest('adds', () => expect(add(1, 2)).toBe(3));\n"),
        assertion: ("calc.test.js", "import { test, expect } from 'bun:test';\nimport { add } from './calc.js';\ntest('adds', () => expect(add(1, 2)).toBe(3));\ntest('wrong', () => expect(add(1, 2)).toBe(4));\n"),
        missing: Some(("calc.test.js", "import { test, expect } from 'bun:test';\nimport { add } from './nope.js';\ntest('adds', () => expect(add(1, 2)).toBe(3));\n")),
        stub: Some(("calc.test.js", "import { test, expect } from 'bun:test';\nimport { sub } from './calc.js';\ntest('subs', () => expect(sub(2, 1)).toBe(1));\n")),
        empty: Some(("readme.txt", "")),
        leaves: Some(("calc.test.js", "import { test } from 'bun:test';\ntest('leaves', () => process.exit(0));\n")),
    };
    deno: Kit {
        runner: "deno test",
        programs: &["deno"],
        command: "deno test --allow-read",
        common: &[("calc.js", "export const add = (a, b) => a + b;\nexport const sub = () => { throw new Error('not implemented'); };\n")],
        pass: ("calc.test.js", "import assert from 'node:assert';\nimport { add } from './calc.js';\nDeno.test('adds', () => assert.strictEqual(add(1, 2), 3));\n"),
        assertion: ("calc.test.js", "import assert from 'node:assert';\nimport { add } from './calc.js';\nDeno.test('adds', () => assert.strictEqual(add(1, 2), 3));\nDeno.test('wrong', () => assert.strictEqual(add(1, 2), 4));\n"),
        missing: Some(("calc.test.js", "import { add } from './nope.js';\nDeno.test('adds', () => add(1, 2));\n")),
        stub: Some(("calc.test.js", "import { sub } from './calc.js';\nDeno.test('subs', () => sub(2, 1));\n")),
        empty: Some(("readme.txt", "")),
        leaves: None,
    };
    nextest: Kit {
        runner: "nextest",
        programs: &["cargo", "cargo-nextest"],
        command: "cargo nextest run --offline",
        common: &[CARGO_TOML, ("src/lib.rs", RUST_LIB)],
        pass: ("tests/it.rs", RUST_PASS),
        assertion: ("tests/it.rs", RUST_ASSERTION),
        missing: Some(("tests/it.rs", RUST_MISSING)),
        stub: Some(("tests/it.rs", RUST_STUB)),
        empty: Some(("tests/it.rs", "")),
        leaves: None,
    };
    go_test: Kit {
        runner: "go test",
        programs: &["go"],
        command: "go test ./...",
        common: &[("go.mod", "module demo\n\ngo 1.19\n"), ("calc.go", "package demo\n\nfunc Add(a, b int) int { return a + b }\nfunc Sub(a, b int) int { panic(\"not implemented\") }\n")],
        pass: ("calc_test.go", "package demo\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Errorf(\"want 3\")\n\t}\n}\n"),
        assertion: ("calc_test.go", "package demo\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Errorf(\"want 3\")\n\t}\n}\n\nfunc TestWrong(t *testing.T) {\n\tif Add(1, 2) != 4 {\n\t\tt.Errorf(\"want 4\")\n\t}\n}\n"),
        missing: Some(("calc_test.go", "package demo\n\nimport (\n\t\"demo/nope\"\n\t\"testing\"\n)\n\nfunc TestAdds(t *testing.T) { nope.Add(1, 2) }\n")),
        // A panic ends the whole test binary: nothing is known of the other tests.
        stub: None,
        empty: Some(("readme.txt", "")),
        leaves: None,
    };
    phpunit: Kit {
        runner: "PHPUnit",
        programs: &["phpunit"],
        command: "phpunit tests",
        common: &[("Calc.php", "<?php class Calc { static function add($a, $b) { return $a + $b; } static function sub($a, $b) { throw new Exception('not implemented'); } }\n")],
        pass: ("tests/CalcTest.php", "<?php require_once __DIR__ . '/../Calc.php'; class CalcTest extends PHPUnit\\Framework\\TestCase { function testAdds() { $this->assertSame(3, Calc::add(1, 2)); } }\n"),
        assertion: ("tests/CalcTest.php", "<?php require_once __DIR__ . '/../Calc.php'; class CalcTest extends PHPUnit\\Framework\\TestCase { function testAdds() { $this->assertSame(3, Calc::add(1, 2)); } function testWrong() { $this->assertSame(4, Calc::add(1, 2)); } }\n"),
        missing: Some(("tests/CalcTest.php", "<?php require_once __DIR__ . '/../Nope.php'; class CalcTest extends PHPUnit\\Framework\\TestCase { function testAdds() { $this->assertSame(3, Calc::add(1, 2)); } }\n")),
        stub: Some(("tests/CalcTest.php", "<?php require_once __DIR__ . '/../Calc.php'; class CalcTest extends PHPUnit\\Framework\\TestCase { function testSubs() { $this->assertSame(1, Calc::sub(2, 1)); } }\n")),
        empty: Some(("tests/readme.txt", "")),
        leaves: Some(("tests/CalcTest.php", "<?php class CalcTest extends PHPUnit\\Framework\\TestCase { function testLeaves() { exit(0); } }\n")),
    };
    rspec: Kit {
        runner: "RSpec",
        programs: &["rspec"],
        command: "rspec",
        common: &[("calc.rb", RUBY_LIB)],
        pass: ("spec/calc_spec.rb", "require_relative '../calc'\nRSpec.describe 'calc' do\n  it('adds') { expect(add(1, 2)).to eq 3 }\nend\n"),
        assertion: ("spec/calc_spec.rb", "require_relative '../calc'\nRSpec.describe 'calc' do\n  it('adds') { expect(add(1, 2)).to eq 3 }\n  it('wrong') { expect(add(1, 2)).to eq 4 }\nend\n"),
        missing: Some(("spec/calc_spec.rb", "require_relative '../nope'\nRSpec.describe 'calc' do\n  it('adds') { expect(add(1, 2)).to eq 3 }\nend\n")),
        stub: Some(("spec/calc_spec.rb", "require_relative '../calc'\nRSpec.describe 'calc' do\n  it('subs') { expect(sub(2, 1)).to eq 1 }\nend\n")),
        empty: Some(("spec/calc_spec.rb", "")),
        leaves: Some(("spec/calc_spec.rb", "RSpec.describe 'calc' do\n  it('leaves') { exit(0) }\nend\n")),
    };
    minitest: Kit {
        runner: "minitest",
        programs: &["ruby"],
        command: "ruby -I. test/calc_test.rb",
        common: &[("calc.rb", RUBY_LIB)],
        pass: ("test/calc_test.rb", "require 'minitest/autorun'\nrequire 'calc'\nclass CalcTest < Minitest::Test\n  def test_adds = assert_equal(3, add(1, 2))\nend\n"),
        assertion: ("test/calc_test.rb", "require 'minitest/autorun'\nrequire 'calc'\nclass CalcTest < Minitest::Test\n  def test_adds = assert_equal(3, add(1, 2))\n  def test_wrong = assert_equal(4, add(1, 2))\nend\n"),
        missing: Some(("test/calc_test.rb", "require 'minitest/autorun'\nrequire 'nope'\nclass CalcTest < Minitest::Test\n  def test_adds = assert_equal(3, add(1, 2))\nend\n")),
        stub: Some(("test/calc_test.rb", "require 'minitest/autorun'\nrequire 'calc'\nclass CalcTest < Minitest::Test\n  def test_subs = assert_equal(1, sub(2, 1))\nend\n")),
        empty: Some(("test/calc_test.rb", "require 'minitest/autorun'\n")),
        leaves: Some(("test/calc_test.rb", "require 'minitest/autorun'\nclass CalcTest < Minitest::Test\n  def test_leaves = exit!(0)\nend\n")),
    };
    exunit: Kit {
        runner: "ExUnit",
        programs: &["mix"],
        command: "mix test",
        common: &[
            ("mix.exs", "defmodule Demo.MixProject do\n  use Mix.Project\n  def project, do: [app: :demo, version: \"0.1.0\"]\nend\n"),
            ("lib/calc.ex", "defmodule Calc do\n  def add(a, b), do: a + b\n  def sub(_, _), do: raise \"not implemented\"\nend\n"),
            ("test/test_helper.exs", "ExUnit.start()\n"),
        ],
        pass: ("test/calc_test.exs", "defmodule CalcTest do\n  use ExUnit.Case\n  test \"adds\", do: assert Calc.add(1, 2) == 3\nend\n"),
        assertion: ("test/calc_test.exs", "defmodule CalcTest do\n  use ExUnit.Case\n  test \"adds\", do: assert Calc.add(1, 2) == 3\n  test \"wrong\", do: assert Calc.add(1, 2) == 4\nend\n"),
        missing: Some(("test/calc_test.exs", "defmodule CalcTest do\n  use ExUnit.Case\n  import Nope\n  test \"adds\", do: assert add(1, 2) == 3\nend\n")),
        stub: Some(("test/calc_test.exs", "defmodule CalcTest do\n  use ExUnit.Case\n  test \"subs\", do: assert Calc.sub(2, 1) == 1\nend\n")),
        empty: Some(("test/calc_test.exs", "")),
        leaves: Some(("test/calc_test.exs", "defmodule CalcTest do\n  use ExUnit.Case\n  test \"leaves\", do: System.halt(0)\nend\n")),
    };
    bats: Kit {
        runner: "bats",
        programs: &["bats"],
        command: "bats test",
        common: &[("calc.sh", "add() { echo $(($1 + $2)); }\n")],
        pass: ("test/calc.bats", "@test \"adds\" {\n  . ./calc.sh\n  [ \"$(add 1 2)\" = 3 ]\n}\n"),
        assertion: ("test/calc.bats", "@test \"adds\" {\n  . ./calc.sh\n  [ \"$(add 1 2)\" = 3 ]\n}\n@test \"wrong\" {\n  . ./calc.sh\n  [ \"$(add 1 2)\" = 4 ]\n}\n"),
        missing: Some(("test/calc.bats", "load nope\n@test \"adds\" {\n  [ \"$(add 1 2)\" = 3 ]\n}\n")),
        stub: None,
        empty: Some(("test/readme.txt", "")),
        leaves: None,
    };
    // Maven's plugins and JUnit are Debian's packages: nothing is fetched.
    maven: Kit {
        runner: "Surefire",
        programs: &["mvn", "mh_make"],
        command: "mvn -o -B -Dmaven.repo.local=/usr/share/maven-repo test",
        common: &[
            ("pom.xml", MAVEN_PROJECT),
            ("src/main/java/calc/Calc.java", "package calc;\npublic class Calc {\n  public static int add(int a, int b) { return a + b; }\n  public static int sub(int a, int b) { throw new UnsupportedOperationException(\"not implemented\"); }\n}\n"),
        ],
        pass: ("src/test/java/calc/CalcTest.java", "package calc;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\nclass CalcTest {\n  @Test void adds() { assertEquals(3, Calc.add(1, 2)); }\n}\n"),
        assertion: ("src/test/java/calc/CalcTest.java", "package calc;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\nclass CalcTest {\n  @Test void adds() { assertEquals(3, Calc.add(1, 2)); }\n  @Test void wrong() { assertEquals(4, Calc.add(1, 2)); }\n}\n"),
        missing: Some(("src/test/java/calc/CalcTest.java", "package calc;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\nclass CalcTest {\n  @Test void adds() { assertEquals(3, Nope.add(1, 2)); }\n}\n")),
        stub: Some(("src/test/java/calc/CalcTest.java", "package calc;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\nclass CalcTest {\n  @Test void subs() { assertEquals(1, Calc.sub(2, 1)); }\n}\n")),
        empty: Some(("readme.txt", "")),
        leaves: Some(("src/test/java/calc/CalcTest.java", "package calc;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\nclass CalcTest {\n  @Test void leaves() { System.exit(0); }\n}\n")),
    };
    // As old as Debian's: it has no `useJUnitPlatform`, and takes its jars from files.
    gradle: Kit {
        runner: "Gradle",
        programs: &["gradle"],
        command: "gradle --offline --no-daemon test",
        common: &[
            ("build.gradle", "apply plugin: 'java'\ndependencies { testCompile files('/usr/share/java/junit4.jar', '/usr/share/java/hamcrest-core.jar') }\n"),
            ("src/main/java/calc/Calc.java", "package calc;\npublic class Calc {\n  public static int add(int a, int b) { return a + b; }\n}\n"),
        ],
        pass: ("src/test/java/calc/CalcTest.java", "package calc;\nimport org.junit.Test;\nimport static org.junit.Assert.*;\npublic class CalcTest {\n  @Test public void adds() { assertEquals(3, Calc.add(1, 2)); }\n}\n"),
        assertion: ("src/test/java/calc/CalcTest.java", "package calc;\nimport org.junit.Test;\nimport static org.junit.Assert.*;\npublic class CalcTest {\n  @Test public void adds() { assertEquals(3, Calc.add(1, 2)); }\n  @Test public void wrong() { assertEquals(4, Calc.add(1, 2)); }\n}\n"),
        missing: Some(("src/test/java/calc/CalcTest.java", "package calc;\nimport org.junit.Test;\npublic class CalcTest {\n  @Test public void adds() { Nope.add(1, 2); }\n}\n")),
        stub: None,
        empty: None,
        leaves: None,
    };
    gtest: Kit {
        runner: "GoogleTest",
        programs: &["c++"],
        command: "c++ -std=c++17 -o calc_test calc_test.cc -lgtest_main -lgtest -lpthread && ./calc_test",
        common: &[("calc.h", CPP_LIB)],
        pass: ("calc_test.cc", CPP_PASS),
        assertion: ("calc_test.cc", CPP_ASSERTION),
        missing: None,
        stub: Some(("calc_test.cc", CPP_STUB)),
        empty: Some(("calc_test.cc", "#include <gtest/gtest.h>\n")),
        leaves: Some(("calc_test.cc", "#include <gtest/gtest.h>\n#include <cstdlib>\nTEST(Calc, Leaves) { _Exit(0); }\n")),
    };
    ctest: Kit {
        runner: "CTest",
        programs: &["cmake", "ctest"],
        command: "cmake -S . -B build > log && cmake --build build > log && ctest --test-dir build",
        common: &[
            ("calc.h", CPP_LIB),
            ("CMakeLists.txt", "cmake_minimum_required(VERSION 3.14)\nproject(demo CXX)\nenable_testing()\nset(CMAKE_CXX_STANDARD 17)\nfind_package(GTest REQUIRED)\nadd_executable(calc_test calc_test.cc)\ntarget_link_libraries(calc_test GTest::gtest_main)\ninclude(GoogleTest)\ngtest_discover_tests(calc_test)\n"),
        ],
        pass: ("calc_test.cc", CPP_PASS),
        assertion: ("calc_test.cc", CPP_ASSERTION),
        missing: None,
        stub: None,
        empty: Some(("calc_test.cc", "#include <gtest/gtest.h>\n")),
        leaves: None,
    };
    uvu: Kit {
        runner: "uvu",
        programs: &["uvu"],
        command: "node_modules/.bin/uvu tests",
        common: &[("calc.cjs", CJS_LIB)],
        pass: ("tests/calc.cjs", "const { test } = require('uvu');\nconst assert = require('uvu/assert');\nconst { add, sub } = require('../calc.cjs');\ntest('adds', () => assert.is(add(1, 2), 3));\ntest.run();\n"),
        assertion: ("tests/calc.cjs", "const { test } = require('uvu');\nconst assert = require('uvu/assert');\nconst { add, sub } = require('../calc.cjs');\ntest('adds', () => assert.is(add(1, 2), 3));\ntest('wrong', () => assert.is(add(1, 2), 4));\ntest.run();\n"),
        missing: Some(("tests/calc.cjs", "const { test } = require('uvu');\nconst assert = require('uvu/assert');\nconst { add, sub } = require('../nope.cjs');\ntest('adds', () => assert.is(add(1, 2), 3));\ntest.run();\n")),
        stub: Some(("tests/calc.cjs", "const { test } = require('uvu');\nconst assert = require('uvu/assert');\nconst { add, sub } = require('../calc.cjs');\ntest('subs', () => assert.is(sub(2, 1), 1));\ntest.run();\n")),
        empty: Some(("tests/calc.cjs", "")),
        leaves: Some(("tests/calc.cjs", "const { test } = require('uvu');\nconst assert = require('uvu/assert');\nconst { add, sub } = require('../calc.cjs');\ntest('leaves', () => process.exit(0));\ntest.run();\n")),
    };
    tape: Kit {
        runner: "tape",
        programs: &["tape"],
        command: "node_modules/.bin/tape test/calc.cjs",
        common: &[("calc.cjs", CJS_LIB)],
        pass: ("test/calc.cjs", "const test = require('tape');\nconst { add, sub } = require('../calc.cjs');\ntest('adds', (t) => { t.equal(add(1, 2), 3); t.end(); });\n"),
        assertion: ("test/calc.cjs", "const test = require('tape');\nconst { add, sub } = require('../calc.cjs');\ntest('adds', (t) => { t.equal(add(1, 2), 3); t.end(); });\ntest('wrong', (t) => { t.equal(add(1, 2), 4); t.end(); });\n"),
        missing: Some(("test/calc.cjs", "const test = require('tape');\nconst { add, sub } = require('../nope.cjs');\ntest('adds', (t) => { t.equal(add(1, 2), 3); t.end(); });\n")),
        stub: Some(("test/calc.cjs", "const test = require('tape');\nconst { add, sub } = require('../calc.cjs');\ntest('subs', async (t) => { t.equal(sub(2, 1), 1); });\n")),
        empty: Some(("test/calc.cjs", "")),
        leaves: Some(("test/calc.cjs", "const test = require('tape');\nconst { add, sub } = require('../calc.cjs');\ntest('leaves', () => process.exit(0));\n")),
    };
    ava: Kit {
        runner: "AVA",
        programs: &["ava"],
        command: "node_modules/.bin/ava test/calc.cjs",
        common: &[("calc.cjs", CJS_LIB)],
        pass: ("test/calc.cjs", "const test = require('ava');\nconst { add, sub } = require('../calc.cjs');\ntest('adds', (t) => t.is(add(1, 2), 3));\n"),
        assertion: ("test/calc.cjs", "const test = require('ava');\nconst { add, sub } = require('../calc.cjs');\ntest('adds', (t) => t.is(add(1, 2), 3));\ntest('wrong', (t) => t.is(add(1, 2), 4));\n"),
        missing: Some(("test/calc.cjs", "const test = require('ava');\nconst { add, sub } = require('../nope.cjs');\ntest('adds', (t) => t.is(add(1, 2), 3));\n")),
        stub: Some(("test/calc.cjs", "const test = require('ava');\nconst { add, sub } = require('../calc.cjs');\ntest('subs', (t) => t.is(sub(2, 1), 1));\n")),
        empty: Some(("test/calc.cjs", "")),
        leaves: Some(("test/calc.cjs", "const test = require('ava');\nconst { add, sub } = require('../calc.cjs');\ntest('leaves', () => process.exit(0));\n")),
    };
    jasmine: Kit {
        runner: "Jasmine",
        programs: &["jasmine"],
        command: "node_modules/.bin/jasmine spec/calc.cjs",
        common: &[("calc.cjs", CJS_LIB)],
        pass: ("spec/calc.cjs", "const { add, sub } = require('../calc.cjs');\nit('adds', () => expect(add(1, 2)).toBe(3));\n"),
        assertion: ("spec/calc.cjs", "const { add, sub } = require('../calc.cjs');\nit('adds', () => expect(add(1, 2)).toBe(3));\nit('wrong', () => expect(add(1, 2)).toBe(4));\n"),
        missing: Some(("spec/calc.cjs", "const { add, sub } = require('../nope.cjs');\nit('adds', () => expect(add(1, 2)).toBe(3));\n")),
        stub: Some(("spec/calc.cjs", "const { add, sub } = require('../calc.cjs');\nit('subs', () => expect(sub(2, 1)).toBe(1));\n")),
        empty: Some(("spec/calc.cjs", "")),
        leaves: Some(("spec/calc.cjs", "const { add, sub } = require('../calc.cjs');\nit('leaves', () => process.exit(0));\n")),
    };
    qunit: Kit {
        runner: "QUnit",
        programs: &["qunit"],
        command: "node_modules/.bin/qunit test/calc.cjs",
        common: &[("calc.cjs", CJS_LIB)],
        pass: ("test/calc.cjs", "const { add, sub } = require('../calc.cjs');\nQUnit.test('adds', (assert) => assert.equal(add(1, 2), 3));\n"),
        assertion: ("test/calc.cjs", "const { add, sub } = require('../calc.cjs');\nQUnit.test('adds', (assert) => assert.equal(add(1, 2), 3));\nQUnit.test('wrong', (assert) => assert.equal(add(1, 2), 4));\n"),
        missing: Some(("test/calc.cjs", "const { add, sub } = require('../nope.cjs');\nQUnit.test('adds', (assert) => assert.equal(add(1, 2), 3));\n")),
        stub: Some(("test/calc.cjs", "const { add, sub } = require('../calc.cjs');\nQUnit.test('subs', (assert) => assert.equal(sub(2, 1), 1));\n")),
        empty: Some(("test/calc.cjs", "")),
        leaves: Some(("test/calc.cjs", "const { add, sub } = require('../calc.cjs');\nQUnit.test('leaves', () => process.exit(0));\n")),
    };
    node_tap: Kit {
        runner: "node-tap",
        programs: &["tap"],
        command: "node_modules/.bin/tap --disable-coverage test/calc.cjs",
        common: &[("calc.cjs", CJS_LIB)],
        pass: ("test/calc.cjs", "const t = require('tap');\nconst { add, sub } = require('../calc.cjs');\nt.test('adds', (t) => { t.equal(add(1, 2), 3); t.end(); });\n"),
        assertion: ("test/calc.cjs", "const t = require('tap');\nconst { add, sub } = require('../calc.cjs');\nt.test('adds', (t) => { t.equal(add(1, 2), 3); t.end(); });\nt.test('wrong', (t) => { t.equal(add(1, 2), 4); t.end(); });\n"),
        missing: Some(("test/calc.cjs", "const t = require('tap');\nconst { add, sub } = require('../nope.cjs');\nt.test('adds', (t) => { t.equal(add(1, 2), 3); t.end(); });\n")),
        stub: None,
        empty: Some(("test/calc.cjs", "")),
        leaves: Some(("test/calc.cjs", "const t = require('tap');\nconst { add, sub } = require('../calc.cjs');\nt.test('leaves', () => process.exit(0));\n")),
    };
    cucumber_js: Kit {
        runner: "cucumber-js",
        programs: &["cucumber-js"],
        command: "node_modules/.bin/cucumber-js --require features/steps.cjs features",
        common: &[("calc.cjs", CJS_LIB), ("features/steps.cjs", CUCUMBER_STEPS)],
        pass: ("features/calc.feature", FEATURE_PASS),
        assertion: ("features/calc.feature", FEATURE_ASSERTION),
        missing: Some(("features/steps.cjs", "require('../nope.cjs');\n")),
        stub: Some(("features/calc.feature", FEATURE_STUB)),
        empty: Some(("readme.txt", "")),
        leaves: Some(("features/calc.feature", FEATURE_LEAVES)),
    };
    playwright: Kit {
        runner: "Playwright",
        programs: &["playwright"],
        command: "node_modules/.bin/playwright test",
        common: &[("calc.cjs", CJS_LIB)],
        pass: ("calc.spec.mjs", "import { test, expect } from '@playwright/test';\nimport { add, sub } from './calc.cjs';\ntest('adds', () => expect(add(1, 2)).toBe(3));\n"),
        assertion: ("calc.spec.mjs", "import { test, expect } from '@playwright/test';\nimport { add, sub } from './calc.cjs';\ntest('adds', () => expect(add(1, 2)).toBe(3));\ntest('wrong', () => expect(add(1, 2)).toBe(4));\n"),
        missing: Some(("calc.spec.mjs", "import { test, expect } from '@playwright/test';\nimport { add, sub } from './nope.cjs';\ntest('adds', () => expect(add(1, 2)).toBe(3));\n")),
        stub: Some(("calc.spec.mjs", "import { test, expect } from '@playwright/test';\nimport { add, sub } from './calc.cjs';\ntest('subs', () => expect(sub(2, 1)).toBe(1));\n")),
        empty: Some(("readme.txt", "")),
        leaves: Some(("calc.spec.mjs", "import { test, expect } from '@playwright/test';\nimport { add, sub } from './calc.cjs';\ntest('leaves', () => process.exit(0));\n")),
    };
    nose2: Kit {
        runner: "nose2",
        programs: &["nose2"],
        command: "nose2",
        common: &[("calc.py", PYTHON_LIB)],
        pass: ("test_calc.py", "import os\nfrom unittest import TestCase\nfrom calc import add, sub\n\nclass T(TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n"),
        assertion: ("test_calc.py", "import os\nfrom unittest import TestCase\nfrom calc import add, sub\n\nclass T(TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n    def test_wrong(self):\n        self.assertEqual(add(1, 2), 4)\n"),
        missing: Some(("test_calc.py", "import os\nfrom unittest import TestCase\nfrom nope import add, sub\n\nclass T(TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n")),
        stub: Some(("test_calc.py", "import os\nfrom unittest import TestCase\nfrom calc import add, sub\n\nclass T(TestCase):\n    def test_subs(self):\n        self.assertEqual(sub(2, 1), 1)\n")),
        empty: Some(("test_calc.py", "")),
        leaves: Some(("test_calc.py", "import os\nfrom unittest import TestCase\nfrom calc import add, sub\n\nclass T(TestCase):\n    def test_leaves(self):\n        os._exit(0)\n")),
    };
    trial: Kit {
        runner: "trial",
        programs: &["trial"],
        command: "PYTHONPATH=.:$PYTHONPATH trial test_calc",
        common: &[("calc.py", PYTHON_LIB)],
        pass: ("test_calc.py", "import os\nfrom twisted.trial.unittest import TestCase\nfrom calc import add, sub\n\nclass T(TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n"),
        assertion: ("test_calc.py", "import os\nfrom twisted.trial.unittest import TestCase\nfrom calc import add, sub\n\nclass T(TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n    def test_wrong(self):\n        self.assertEqual(add(1, 2), 4)\n"),
        missing: Some(("test_calc.py", "import os\nfrom twisted.trial.unittest import TestCase\nfrom nope import add, sub\n\nclass T(TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n")),
        stub: Some(("test_calc.py", "import os\nfrom twisted.trial.unittest import TestCase\nfrom calc import add, sub\n\nclass T(TestCase):\n    def test_subs(self):\n        self.assertEqual(sub(2, 1), 1)\n")),
        empty: Some(("test_calc.py", "")),
        leaves: Some(("test_calc.py", "import os\nfrom twisted.trial.unittest import TestCase\nfrom calc import add, sub\n\nclass T(TestCase):\n    def test_leaves(self):\n        os._exit(0)\n")),
    };
    behave: Kit {
        runner: "behave",
        programs: &["behave"],
        command: "behave",
        common: &[("calc.py", PYTHON_LIB), ("features/steps/steps.py", BEHAVE_STEPS)],
        pass: ("features/calc.feature", FEATURE_PASS),
        assertion: ("features/calc.feature", FEATURE_ASSERTION),
        missing: Some(("features/steps/steps.py", "import nope\n")),
        stub: Some(("features/calc.feature", FEATURE_STUB)),
        empty: Some(("features/calc.feature", "Feature: nothing\n")),
        leaves: Some(("features/calc.feature", FEATURE_LEAVES)),
    };
    robot: Kit {
        runner: "Robot Framework",
        programs: &["robot"],
        command: "robot tests",
        common: &[("calc.py", "import os\n\ndef add(a, b):\n    return int(a) + int(b)\n\ndef leave():\n    os._exit(0)\n")],
        pass: ("tests/calc.robot", "*** Settings ***\nLibrary    ../calc.py\n\n*** Test Cases ***\nAdds\n    ${n}=    Add    1    2\n    Should Be Equal As Integers    ${n}    3\n"),
        assertion: ("tests/calc.robot", "*** Settings ***\nLibrary    ../calc.py\n\n*** Test Cases ***\nAdds\n    ${n}=    Add    1    2\n    Should Be Equal As Integers    ${n}    3\nWrong\n    ${n}=    Add    1    2\n    Should Be Equal As Integers    ${n}    4\n"),
        missing: None,
        stub: None,
        empty: Some(("tests/calc.robot", "*** Test Cases ***\n")),
        leaves: Some(("tests/calc.robot", "*** Settings ***\nLibrary    ../calc.py\n\n*** Test Cases ***\nLeaves\n    Leave\n")),
    };
    doctest: Kit {
        runner: "doctest",
        programs: &["python3"],
        command: "python3 -m doctest calc.py",
        common: &[],
        pass: ("calc.py", "def add(a, b):\n    \"\"\"\n    >>> add(1, 2)\n    3\n    \"\"\"\n    return a + b\n"),
        assertion: ("calc.py", "def add(a, b):\n    \"\"\"\n    >>> add(1, 2)\n    3\n    \"\"\"\n    return a + b\n\ndef wrong():\n    \"\"\"\n    >>> add(1, 2)\n    4\n    \"\"\"\n"),
        missing: Some(("calc.py", "import nope\n\ndef add(a, b):\n    \"\"\"\n    >>> add(1, 2)\n    3\n    \"\"\"\n    return a + b\n")),
        stub: None,
        empty: Some(("calc.py", "")),
        leaves: Some(("calc.py", "def leaves():\n    \"\"\"\n    >>> import os; os._exit(0)\n    \"\"\"\n")),
    };
    busted: Kit {
        runner: "busted",
        programs: &["busted"],
        command: "busted spec",
        common: &[("calc.lua", "return { add = function(a, b) return a + b end, sub = function() error('not implemented') end }\n")],
        pass: ("spec/calc_spec.lua", "local calc = require 'calc'\nit('adds', function() assert.are.equal(3, calc.add(1, 2)) end)\n"),
        assertion: ("spec/calc_spec.lua", "local calc = require 'calc'\nit('adds', function() assert.are.equal(3, calc.add(1, 2)) end)\nit('wrong', function() assert.are.equal(4, calc.add(1, 2)) end)\n"),
        missing: Some(("spec/calc_spec.lua", "local calc = require 'nope'\nit('adds', function() assert.are.equal(3, calc.add(1, 2)) end)\n")),
        stub: Some(("spec/calc_spec.lua", "local calc = require 'calc'\nit('subs', function() assert.are.equal(1, calc.sub(2, 1)) end)\n")),
        empty: Some(("spec/calc_spec.lua", "")),
        leaves: Some(("spec/calc_spec.lua", "it('leaves', function() os.exit(0) end)\n")),
    };
    test_unit: Kit {
        runner: "test-unit",
        programs: &["ruby"],
        command: "ruby -I. test/calc_test.rb",
        common: &[("calc.rb", RUBY_LIB)],
        pass: ("test/calc_test.rb", "require 'test/unit'\nrequire 'calc'\nclass CalcTest < Test::Unit::TestCase\n  def test_adds = assert_equal(3, add(1, 2))\nend\n"),
        assertion: ("test/calc_test.rb", "require 'test/unit'\nrequire 'calc'\nclass CalcTest < Test::Unit::TestCase\n  def test_adds = assert_equal(3, add(1, 2))\n  def test_wrong = assert_equal(4, add(1, 2))\nend\n"),
        missing: Some(("test/calc_test.rb", "require 'test/unit'\nrequire 'nope'\nclass CalcTest < Test::Unit::TestCase\n  def test_adds = assert_equal(3, add(1, 2))\nend\n")),
        stub: Some(("test/calc_test.rb", "require 'test/unit'\nrequire 'calc'\nclass CalcTest < Test::Unit::TestCase\n  def test_subs = assert_equal(1, sub(2, 1))\nend\n")),
        // It says nothing then: only what was known before tells.
        empty: None,
        leaves: Some(("test/calc_test.rb", "require 'test/unit'\nrequire 'calc'\nclass CalcTest < Test::Unit::TestCase\n  def test_leaves = exit!(0)\nend\n")),
    };
    eunit: Kit {
        runner: "rebar3",
        programs: &["rebar3"],
        command: "rebar3 eunit",
        common: &[("rebar.config", "{erl_opts, [debug_info]}.\n"), ("src/calc.app.src", "{application, calc, [{description, \"\"}, {vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n"), ("src/calc.erl", "-module(calc).\n-export([add/2, sub/2]).\nadd(A, B) -> A + B.\nsub(_, _) -> error(not_implemented).\n")],
        pass: ("test/calc_tests.erl", "-module(calc_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nadds_test() -> ?assertEqual(3, calc:add(1, 2)).\n"),
        assertion: ("test/calc_tests.erl", "-module(calc_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nadds_test() -> ?assertEqual(3, calc:add(1, 2)).\nwrong_test() -> ?assertEqual(4, calc:add(1, 2)).\n"),
        missing: Some(("test/calc_tests.erl", "-module(calc_tests).\n-include_lib(\"eunit/include/nope.hrl\").\n")),
        stub: Some(("test/calc_tests.erl", "-module(calc_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nsubs_test() -> ?assertEqual(1, calc:sub(2, 1)).\n")),
        empty: None,
        leaves: Some(("test/calc_tests.erl", "-module(calc_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nleaves_test() -> halt(0).\n")),
    };
    alcotest: Kit {
        runner: "alcotest",
        programs: &["dune", "ocamlfind"],
        command: "dune test",
        common: &[("dune-project", "(lang dune 2.9)\n"), ("src/dune", "(library (name calc))\n"), ("src/calc.ml", "let add a b = a + b\n"), ("test/dune", "(test (name test_calc) (libraries calc alcotest))\n")],
        pass: ("test/test_calc.ml", "let adds () = Alcotest.(check int) \"sum\" 3 (Calc.add 1 2)\nlet wrong () = Alcotest.(check int) \"sum\" 4 (Calc.add 1 2)\nlet leaves () = exit 0\nlet () = ignore (adds, wrong, leaves)\nlet () = Alcotest.run \"calc\" [ (\"calc\", [ Alcotest.test_case \"adds\" `Quick adds ]) ]\n"),
        assertion: ("test/test_calc.ml", "let adds () = Alcotest.(check int) \"sum\" 3 (Calc.add 1 2)\nlet wrong () = Alcotest.(check int) \"sum\" 4 (Calc.add 1 2)\nlet leaves () = exit 0\nlet () = ignore (adds, wrong, leaves)\nlet () = Alcotest.run \"calc\" [ (\"calc\", [ Alcotest.test_case \"adds\" `Quick adds; Alcotest.test_case \"wrong\" `Quick wrong ]) ]\n"),
        missing: Some(("test/test_calc.ml", "let () = Nope.run ()\n")),
        stub: None,
        empty: None,
        leaves: Some(("test/test_calc.ml", "let adds () = Alcotest.(check int) \"sum\" 3 (Calc.add 1 2)\nlet wrong () = Alcotest.(check int) \"sum\" 4 (Calc.add 1 2)\nlet leaves () = exit 0\nlet () = ignore (adds, wrong, leaves)\nlet () = Alcotest.run \"calc\" [ (\"calc\", [ Alcotest.test_case \"leaves\" `Quick leaves ]) ]\n")),
    };
    shunit2: Kit {
        runner: "shunit2",
        programs: &["shunit2"],
        command: "sh tests/calc.sh",
        common: &[("calc.sh", "add() { echo $(($1 + $2)); }\n")],
        pass: ("tests/calc.sh", "test_adds() { assertEquals 3 \"$(add 1 2)\"; }\n. ./calc.sh\n. shunit2\n"),
        assertion: ("tests/calc.sh", "test_adds() { assertEquals 3 \"$(add 1 2)\"; }\ntest_wrong() { assertEquals 4 \"$(add 1 2)\"; }\n. ./calc.sh\n. shunit2\n"),
        missing: None,
        stub: None,
        empty: Some(("tests/calc.sh", ". shunit2\n")),
        leaves: Some(("tests/calc.sh", "test_leaves() { exit 0; }\n. shunit2\n")),
    };
}

const MODULE: super::File = ("package.json", "{\"type\": \"module\"}\n");

const CARGO_TOML: super::File = (
    "Cargo.toml",
    "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n",
);
const RUST_LIB: &str = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn sub(_a: i32, _b: i32) -> i32 {\n    todo!()\n}\n";
const RUST_PASS: &str = "#[test]\nfn adds() {\n    assert_eq!(demo::add(1, 2), 3);\n}\n";
const RUST_ASSERTION: &str = "#[test]\nfn adds() {\n    assert_eq!(demo::add(1, 2), 3);\n}\n\n#[test]\nfn wrong() {\n    assert!(demo::add(1, 2) == 4, \"not four\");\n}\n";
const RUST_MISSING: &str =
    "use demo::nope;\n\n#[test]\nfn adds() {\n    assert_eq!(nope(1, 2), 3);\n}\n";
const RUST_STUB: &str = "#[test]\nfn subs() {\n    assert_eq!(demo::sub(2, 1), 1);\n}\n";

const MAVEN_PROJECT: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>calc</groupId><artifactId>calc</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
      <version>debian</version><scope>test</scope>
    </dependency>
  </dependencies>
  <build><plugins>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin>
  </plugins></build>
</project>
"#;

const RUBY_LIB: &str = "def add(a, b) = a + b\ndef sub(a, b) = raise(NotImplementedError)\n";

const CPP_LIB: &str = "#include <stdexcept>\ninline int add(int a, int b) { return a + b; }\ninline int sub(int, int) { throw std::logic_error(\"not implemented\"); }\n";
const CPP_PASS: &str = "#include <gtest/gtest.h>\n#include \"calc.h\"\nTEST(Calc, Adds) { EXPECT_EQ(add(1, 2), 3); }\n";
const CPP_ASSERTION: &str = "#include <gtest/gtest.h>\n#include \"calc.h\"\nTEST(Calc, Adds) { EXPECT_EQ(add(1, 2), 3); }\nTEST(Calc, Wrong) { EXPECT_EQ(add(1, 2), 4); }\n";
const CPP_STUB: &str = "#include <gtest/gtest.h>\n#include \"calc.h\"\nTEST(Calc, Subs) { EXPECT_EQ(sub(2, 1), 1); }\n";

const CJS_LIB: &str = "exports.add = (a, b) => a + b;\nexports.sub = () => { throw new Error('not implemented'); };\n";
const PYTHON_LIB: &str =
    "def add(a, b):\n    return a + b\n\ndef sub(a, b):\n    raise NotImplementedError\n";
const CUCUMBER_STEPS: &str = "const assert = require('assert');\nconst { Then } = require('@cucumber/cucumber');\nconst { add, sub } = require('../calc.cjs');\nThen('{int} and {int} make {int}', (a, b, sum) => assert.strictEqual(add(a, b), sum));\nThen('it subtracts', () => { sub(2, 1); });\nThen('it leaves', () => process.exit(0));\n";
const BEHAVE_STEPS: &str = "import os\nfrom behave import then\nfrom calc import add, sub\n\n@then('{a:d} and {b:d} make {total:d}')\ndef _(context, a, b, total):\n    assert add(a, b) == total\n\n@then('it subtracts')\ndef _(context):\n    sub(2, 1)\n\n@then('it leaves')\ndef _(context):\n    os._exit(0)\n";
const FEATURE_PASS: &str = "Feature: calc\n  Scenario: adds\n    Then 1 and 2 make 3\n";
const FEATURE_ASSERTION: &str = "Feature: calc\n  Scenario: adds\n    Then 1 and 2 make 3\n  Scenario: wrong\n    Then 1 and 2 make 4\n";
const FEATURE_STUB: &str = "Feature: calc\n  Scenario: subs\n    Then it subtracts\n";
const FEATURE_LEAVES: &str = "Feature: calc\n  Scenario: leaves\n    Then it leaves\n";
