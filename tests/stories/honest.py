#!/usr/bin/env python3
"""Plays honest (and a few dishonest) stories of development against `git tcr`.

    python3 honest.py CASES_DIR... [--only NAME] [--skip NAME] [--json OUT] [--jobs N] [--keep]

One line per case, then `right R of N honest, C of D dishonest stopped`.
Exit status 0 only if all are right. See README.md.
"""
import argparse
import concurrent.futures
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.modules.setdefault("honest", sys.modules[__name__])

CASES = []
CACHE = Path(os.environ.get("HONEST_CACHE", "/tmp/honest-cache"))
PYPI = ["pytest", "pytest-asyncio"]
NPM = ["vitest@2", "jest@29"]


class Wrong(Exception):
    """The product did not do what a careful person would call right."""


class Skip(Exception):
    """The case needs something that this machine does not have."""


def case(kind, why, needs=(), honest=True):
    """Registers a case: its kind, and in one line why it is honest and what is right."""

    def register(function):
        CASES.append({"name": function.__name__, "kind": kind, "why": why, "honest": honest,
                      "needs": [needs] if isinstance(needs, str) else list(needs), "function": function})
        return function

    return register


def dishonest(kind, why, needs=()):
    """Registers a control: work that has to be stopped."""
    return case(kind, why, needs, honest=False)


# --- the projects ---------------------------------------------------------------------------

PY_IGNORE = "__pycache__/\n.pytest_cache/\n*.egg-info/\n"

SHOP = {
    ".gitignore": PY_IGNORE,
    "README.md": "# shop\n\nA cart, prices and reports.\n",
    "shop/__init__.py": "",
    "shop/money.py": 'def parse(text):\n    """Cents of a price such as `1.50`."""\n    whole, _, part = text.partition(".")\n    return int(whole) * 100 + int((part or "0").ljust(2, "0"))\n\n\ndef show(cents):\n    return f"{cents // 100}.{cents % 100:02d}"\n',
    "shop/cart.py": "from shop.money import show\n\n\nclass Cart:\n    def __init__(self):\n        self.lines = []\n\n    def add(self, name, cents, count=1):\n        self.lines.append((name, cents, count))\n\n    def total(self):\n        return sum(cents * count for _, cents, count in self.lines)\n\n    def label(self):\n        return f\"{len(self.lines)} lines, {show(self.total())}\"\n",
    "shop/report.py": "import json\n\n\ndef load(path):\n    with open(path) as file:\n        return json.load(file)\n\n\ndef render(orders):\n    return \"\\n\".join(f\"{order['id']}: {order['total']}\" for order in orders)\n",
}

SHOP_PYTEST = {
    **SHOP,
    "pyproject.toml": '[project]\nname = "shop"\nversion = "0.1.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
    "requirements.txt": "pytest\n",
    "tests/conftest.py": "import pytest\n\nfrom shop.cart import Cart\n\n\n@pytest.fixture\ndef cart():\n    return Cart()\n",
    "tests/test_cart.py": "def test_empty_cart_costs_nothing(cart):\n    assert cart.total() == 0\n\n\ndef test_total_adds_up(cart):\n    cart.add(\"tea\", 250, 2)\n    assert cart.total() == 500\n\n\ndef test_label(cart):\n    cart.add(\"tea\", 250)\n    assert cart.label() == \"1 lines, 2.50\"\n",
    "tests/test_money.py": "import pytest\n\nfrom shop.money import parse, show\n\n\n@pytest.mark.parametrize(\"text, cents\", [(\"1\", 100), (\"1.5\", 150), (\"0.05\", 5)])\ndef test_parse(text, cents):\n    assert parse(text) == cents\n\n\ndef test_show():\n    assert show(1205) == \"12.05\"\n",
    "tests/test_report.py": "from pathlib import Path\n\nfrom shop.report import load, render\n\nDATA = Path(__file__).parent / \"data\"\n\n\ndef test_render_matches_golden():\n    orders = load(DATA / \"orders.json\")\n    assert render(orders) + \"\\n\" == (DATA / \"report.golden.txt\").read_text()\n",
    "tests/data/orders.json": '[{"id": "a1", "total": 500}, {"id": "b2", "total": 120}]\n',
    "tests/data/report.golden.txt": "a1: 500\nb2: 120\n",
}

SHOP_UNITTEST = {
    **SHOP,
    "tests/__init__.py": "",
    "tests/test_cart.py": "import unittest\n\nfrom shop.cart import Cart\n\n\nclass CartTest(unittest.TestCase):\n    def test_empty(self):\n        self.assertEqual(Cart().total(), 0)\n\n    def test_total(self):\n        cart = Cart()\n        cart.add(\"tea\", 250, 2)\n        self.assertEqual(cart.total(), 500)\n",
    "tests/test_money.py": "import unittest\n\nfrom shop import money\n\n\nclass MoneyTest(unittest.TestCase):\n    def test_parse(self):\n        self.assertEqual(money.parse(\"1.5\"), 150)\n\n    def test_show(self):\n        self.assertEqual(money.show(1205), \"12.05\")\n",
}

CARGO = {
    ".gitignore": "/target\n",
    "README.md": "# geometry\n",
    "Cargo.toml": '[package]\nname = "geometry"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n',
    "Cargo.lock": 'version = 4\n\n[[package]]\nname = "geometry"\nversion = "0.1.0"\n',
    "src/lib.rs": "pub mod parse;\npub mod shape;\n",
    "src/shape.rs": "#[derive(Debug, Clone)]\npub struct Rect {\n    pub width: u32,\n    pub height: u32,\n}\n\nimpl Rect {\n    pub fn new(width: u32, height: u32) -> Self {\n        Rect { width, height }\n    }\n\n    pub fn area(&self) -> u32 {\n        self.width * self.height\n    }\n}\n\n#[derive(Debug, Clone, Copy)]\npub enum Unit {\n    Metre,\n    Foot,\n}\n\nimpl Unit {\n    pub fn short(&self) -> &'static str {\n        match self {\n            Unit::Metre => \"m\",\n            Unit::Foot => \"ft\",\n        }\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn area_is_width_times_height() {\n        assert_eq!(Rect::new(2, 3).area(), 6);\n    }\n}\n",
    "src/parse.rs": "use crate::shape::Rect;\n\npub fn rect(text: &str) -> Option<Rect> {\n    let (width, height) = text.split_once('x')?;\n    Some(Rect::new(number(width)?, number(height)?))\n}\n\nfn number(text: &str) -> Option<u32> {\n    text.trim().parse().ok()\n}\n",
    "tests/a_shape.rs": "use geometry::shape::{Rect, Unit};\n\n#[test]\nfn unit_has_a_short_name() {\n    assert_eq!(Unit::Foot.short(), \"ft\");\n}\n\n#[test]\nfn rect_keeps_its_sides() {\n    assert_eq!(Rect::new(2, 3).height, 3);\n}\n",
    "tests/b_parse.rs": "use geometry::parse::rect;\n\n#[test]\nfn parses_width_and_height() {\n    assert_eq!(rect(\"2x3\").unwrap().width, 2);\n}\n\n#[test]\nfn rejects_nonsense() {\n    assert!(rect(\"two\").is_none());\n}\n",
}

CARGO_WORKSPACE = {
    ".gitignore": "/target\n",
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n',
    "Cargo.lock": 'version = 4\n\n[[package]]\nname = "alpha"\nversion = "0.1.0"\n\n[[package]]\nname = "beta"\nversion = "0.1.0"\ndependencies = [\n "alpha",\n]\n',
    "crates/alpha/Cargo.toml": '[package]\nname = "alpha"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ndoctest = false\n',
    "crates/alpha/src/lib.rs": "pub fn words(text: &str) -> usize {\n    text.split_whitespace().count()\n}\n",
    "crates/alpha/tests/words.rs": "#[test]\nfn counts_words() {\n    assert_eq!(alpha::words(\"a b\"), 2);\n}\n",
    "crates/beta/Cargo.toml": '[package]\nname = "beta"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ndoctest = false\n\n[dependencies]\nalpha = { path = "../alpha" }\n',
    "crates/beta/src/lib.rs": "pub fn summary(text: &str) -> String {\n    format!(\"{} words\", alpha::words(text))\n}\n",
    "crates/beta/tests/summary.rs": "#[test]\nfn says_how_many() {\n    assert_eq!(beta::summary(\"a b c\"), \"3 words\");\n}\n",
}

GO = {
    ".gitignore": "/bin\n",
    "go.mod": "module example.com/stack\n\ngo 1.19\n",
    "README.md": "# stack\n",
    "stack.go": "package stack\n\n// Stack is a pile of numbers.\ntype Stack struct {\n\titems []int\n}\n\n// Push puts n on top.\nfunc (s *Stack) Push(n int) {\n\ts.items = append(s.items, n)\n}\n\n// Len is how many there are.\nfunc (s *Stack) Len() int {\n\treturn len(s.items)\n}\n",
    "stack_test.go": "package stack\n\nimport \"testing\"\n\nfunc TestPushGrows(t *testing.T) {\n\ts := &Stack{}\n\ts.Push(1)\n\tif s.Len() != 1 {\n\t\tt.Fatalf(\"len = %d, want 1\", s.Len())\n\t}\n}\n",
    "text/text.go": "package text\n\nimport \"strings\"\n\n// Title makes the first letter upper case.\nfunc Title(s string) string {\n\tif s == \"\" {\n\t\treturn s\n\t}\n\treturn strings.ToUpper(s[:1]) + s[1:]\n}\n",
    "text/text_test.go": "package text\n\nimport \"testing\"\n\nfunc TestTitle(t *testing.T) {\n\tfor in, want := range map[string]string{\"\": \"\", \"go\": \"Go\"} {\n\t\tif got := Title(in); got != want {\n\t\t\tt.Errorf(\"Title(%q) = %q, want %q\", in, got, want)\n\t\t}\n\t}\n}\n",
}

NODE = {
    ".gitignore": "node_modules\ncoverage\n",
    "package.json": '{\n  "name": "queue",\n  "version": "1.0.0",\n  "type": "module",\n  "scripts": {\n    "test": "node --test test/"\n  }\n}\n',
    "README.md": "# queue\n",
    "src/queue.js": "export class Queue {\n  constructor() {\n    this.items = [];\n  }\n\n  push(item) {\n    this.items.push(item);\n    return this;\n  }\n\n  get size() {\n    return this.items.length;\n  }\n}\n",
    "src/format.js": "export function title(text) {\n  return text.slice(0, 1).toUpperCase() + text.slice(1);\n}\n\nexport function join(items) {\n  return items.join(', ');\n}\n",
    "src/index.js": "export { Queue } from './queue.js';\nexport { title, join } from './format.js';\n",
    "test/queue.test.js": "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { Queue } from '../src/queue.js';\n\ntest('push grows the queue', () => {\n  assert.equal(new Queue().push(1).size, 1);\n});\n",
    "test/format.test.js": "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport * as format from '../src/format.js';\n\ntest('title', () => {\n  assert.equal(format.title('abc'), 'Abc');\n});\n\ntest('join', () => {\n  assert.equal(format.join(['a', 'b']), 'a, b');\n});\n",
}

VITEST = {
    ".gitignore": "node_modules\ncoverage\n",
    "package.json": '{\n  "name": "prices",\n  "version": "1.0.0",\n  "type": "module",\n  "scripts": {\n    "test": "vitest run"\n  },\n  "devDependencies": {\n    "vitest": "^2.0.0"\n  }\n}\n',
    "tsconfig.json": '{\n  "compilerOptions": {\n    "strict": true,\n    "module": "esnext",\n    "moduleResolution": "bundler"\n  }\n}\n',
    "vitest.config.ts": "import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({ test: { include: ['test/**/*.test.ts', 'src/**/*.test.ts'] } });\n",
    "README.md": "# prices\n",
    "src/types.ts": "export interface Item {\n  name: string;\n  cents: number;\n}\n",
    "src/price.ts": "import type { Item } from './types';\n\nexport function total(items: Item[]): number {\n  return items.reduce((sum, item) => sum + item.cents, 0);\n}\n\nexport function show(cents: number): string {\n  return (cents / 100).toFixed(2);\n}\n",
    "src/index.ts": "export * from './price';\n",
    "test/price.test.ts": "import { describe, expect, it } from 'vitest';\nimport { show, total } from '../src/price';\n\ndescribe('price', () => {\n  it('adds up', () => {\n    expect(total([{ name: 'tea', cents: 250 }, { name: 'milk', cents: 50 }])).toBe(300);\n  });\n\n  it('shows cents', () => {\n    expect(show(205)).toBe('2.05');\n  });\n});\n",
}

JEST = {
    ".gitignore": "node_modules\ncoverage\n",
    "package.json": '{\n  "name": "card",\n  "version": "1.0.0",\n  "scripts": {\n    "test": "jest"\n  },\n  "devDependencies": {\n    "jest": "^29.0.0"\n  }\n}\n',
    "src/card.js": "function card(user) {\n  return `<div class=\"card\">${user.name}</div>`;\n}\n\nmodule.exports = { card };\n",
    "src/names.js": "function full(user) {\n  return `${user.first} ${user.last}`;\n}\n\nmodule.exports = { full };\n",
    "src/index.js": "module.exports = { ...require('./card'), ...require('./names') };\n",
    "__tests__/card.test.js": "const { card } = require('../src/card');\n\ntest('renders a card', () => {\n  expect(card({ name: 'Ada' })).toMatchSnapshot();\n});\n",
    "__tests__/names.test.js": "const { full } = require('../src/names');\n\ntest('full name', () => {\n  expect(full({ first: 'Ada', last: 'Lovelace' })).toBe('Ada Lovelace');\n});\n",
    "__tests__/__snapshots__/card.test.js.snap": "// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`renders a card 1`] = `\"<div class=\"card\">Ada</div>\"`;\n",
}

MONOREPO = {
    ".gitignore": "node_modules\n__pycache__/\n",
    "README.md": "# all of it\n",
    ".tcr.toml": '[[project]]\npath = "packages/core"\ntest = "node --test test/"\n\n[[project]]\npath = "packages/web"\ntest = "node --test test/"\nneeds = ["packages/core"]\n\n[[project]]\npath = "services/mail"\ntest = "python3 -m unittest"\n',
    "packages/core/package.json": '{\n  "name": "core",\n  "version": "1.0.0",\n  "type": "module"\n}\n',
    "packages/core/src/sum.js": "export const sum = (list) => list.reduce((a, b) => a + b, 0);\n",
    "packages/core/test/sum.test.js": "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { sum } from '../src/sum.js';\n\ntest('sum', () => {\n  assert.equal(sum([1, 2]), 3);\n});\n",
    "packages/web/package.json": '{\n  "name": "web",\n  "version": "1.0.0",\n  "type": "module"\n}\n',
    "packages/web/src/page.js": "import { sum } from '../../core/src/sum.js';\n\nexport const page = (list) => `<b>${sum(list)}</b>`;\n",
    "packages/web/test/page.test.js": "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { page } from '../src/page.js';\n\ntest('page shows the sum', () => {\n  assert.equal(page([1, 2]), '<b>3</b>');\n});\n",
    "services/mail/mail.py": "def subject(name):\n    return f\"Hello {name}\"\n",
    "services/mail/tests/__init__.py": "",
    "services/mail/tests/test_mail.py": "import unittest\n\nfrom mail import subject\n\n\nclass MailTest(unittest.TestCase):\n    def test_subject(self):\n        self.assertEqual(subject(\"Ada\"), \"Hello Ada\")\n",
}

PROJECTS = {
    "pytest": (SHOP_PYTEST, ["pytest"]),
    "unittest": ({**SHOP_UNITTEST, ".tcr.toml": 'test = "python3 -m unittest"\n'}, []),
    "cargo": (CARGO, ["cargo"]),
    "cargo-workspace": (CARGO_WORKSPACE, ["cargo"]),
    "go": (GO, ["go"]),
    "node-test": (NODE, ["node"]),
    "vitest": (VITEST, ["node", "vitest"]),
    "jest": (JEST, ["node", "jest"]),
    "monorepo": (MONOREPO, ["node"]),
    "bare": ({}, []),
}


# --- dependencies, installed once -----------------------------------------------------------

def prepare():
    """Installs the test runners into the cache, once."""
    CACHE.mkdir(parents=True, exist_ok=True)
    python = CACHE / "py/bin/python3"
    if not (CACHE / "py/bin/pytest").exists():
        subprocess.run([sys.executable, "-m", "venv", str(CACHE / "py")], capture_output=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PYPI], capture_output=True)
    modules = CACHE / "npm/node_modules"
    if shutil.which("npm") and not ((modules / "vitest").exists() and (modules / "jest").exists()):
        (CACHE / "npm").mkdir(exist_ok=True)
        (CACHE / "npm/package.json").write_text('{"name": "cache", "private": true}\n')
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", *NPM], cwd=CACHE / "npm", capture_output=True)


def has(what):
    if what == "pytest":
        return (CACHE / "py/bin/pytest").exists()
    if what in ("vitest", "jest"):
        return (CACHE / "npm/node_modules" / what).exists()
    return shutil.which(what) is not None


# --- one case -------------------------------------------------------------------------------

class Step:
    """What came of one call: exit status, JSON if there is any, text for the eye."""

    def __init__(self, code, out, err, denied=False, message=None):
        self.code, self.out, self.err, self.denied = code, out, err, denied
        try:
            self.json = json.loads(out) if out.strip().startswith("{") else {}
        except ValueError:
            self.json = {}
        self.message = message if message is not None else out + err

    def __getitem__(self, key):
        return self.json.get(key)


class Case:
    def __init__(self, root, binary):
        self.root = Path(root)
        self.home = self.root / "home"
        self.dir = self.root / "repo"
        self.binary = binary
        self.home.mkdir()
        self.dir.mkdir()
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n"
            "[commit]\n\tgpgsign = false\n[advice]\n\tdetachedHead = false\n[protocol \"file\"]\n\tallow = always\n")
        self.env = self._env()
        self.last = None
        self.story = []
        self.clock = int(time.time()) - 100_000
        self.agent = Agent(self)

    def _env(self):
        keep = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR", "TERM") if name in os.environ}
        path = [str(Path(self.binary).parent), str(CACHE / "py/bin"), "/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"]
        for tool in ("cargo", "go", "node", "git"):
            found = shutil.which(tool)
            if found and str(Path(found).parent) not in path:
                path.append(str(Path(found).parent))
        return {**keep, "PATH": ":".join(path), "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1",
                "NO_COLOR": "1", "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")), "CARGO_HOME": str(self.home / ".cargo"), "CARGO_NET_OFFLINE": "true",
                "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_PROFILE_TEST_DEBUG": "0",
                "GOCACHE": str(CACHE / "go-build"), "GOPATH": str(self.home / "go"), "GOPROXY": "off", "GOFLAGS": "-mod=mod",
                "npm_config_update_notifier": "false", "npm_config_cache": str(self.home / ".npm")}

    # -- making the project

    def repo(self, kind, files=None, without=(), install=True, client=True):
        """A small project of this kind, committed on `main`, with git tcr installed."""
        base, needs = PROJECTS[kind]
        for what in needs:
            if not has(what):
                raise Skip(f"{what} is not installed")
        for path, text in {**base, **(files or {})}.items():
            if path not in without:
                self.write(path, text)
        if kind in ("vitest", "jest"):
            os.symlink(CACHE / "npm/node_modules", self.dir / "node_modules")
        self.git("init", "-q", "-b", "main")
        # `node_modules/` does not match a symbolic link, `node_modules` does
        self.git("add", "-A")
        self.git("commit", "-qm", "first")
        if install:
            self.install(client=client)
        return self

    def install(self, *args, client=True):
        step = self.tcr("install", "--yes", *(["--client", "claude-code"] if client else []), *args)
        if step.code != 0:
            raise Wrong(f"install failed ({step.code}): {brief(step.message)}")
        return step

    # -- what a developer does

    def path(self, path):
        return self.dir / path

    def write(self, path, text):
        target = self.path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        if target.suffix == ".py":
            # Python tells byte code from source by size and second: no two versions of a file share
            # both by chance, as they never do at human speed. The cases about that set the time themselves.
            self.clock += 2
            os.utime(target, (self.clock, self.clock))

    def append(self, path, text):
        self.write(path, self.read(path) + text)

    def edit(self, path, old, new):
        text = self.read(path)
        if old not in text:
            raise Wrong(f"{path} no longer has {old!r}: taken away earlier")
        self.write(path, text.replace(old, new, 1))

    def replace(self, old, new, *paths):
        """Replaces a text everywhere in these files, as an editor's rename does."""
        for path in paths:
            text = self.read(path)
            if old not in text:
                raise Wrong(f"{path} no longer has {old!r}: taken away earlier")
            self.write(path, text.replace(old, new))

    def move(self, old, new):
        self.path(new).parent.mkdir(parents=True, exist_ok=True)
        self.path(old).rename(self.path(new))

    def delete(self, path):
        target = self.path(path)
        shutil.rmtree(target) if target.is_dir() else target.unlink()

    def read(self, path):
        target = self.path(path)
        if not target.exists():
            raise Wrong(f"{path} is gone")
        return target.read_text()

    def sh(self, command, cwd=None, env=None):
        return self._call(["bash", "-c", command], cwd=cwd, env=env)

    def git(self, *args, ok=True, cwd=None):
        step = self._call(["git", *args], cwd=cwd)
        if ok and step.code != 0:
            raise Wrong(f"git {' '.join(args)} failed ({step.code}): {brief(step.message)}")
        return step

    def tcr(self, *args, cwd=None):
        step = self._call(["git", "tcr", *args], cwd=cwd)
        self.last = step
        return step

    def run(self, *args, cwd=None):
        """`git tcr run --json`, by hand."""
        return self.tcr("run", "--json", *args, cwd=cwd)

    def status(self, cwd=None):
        step = self._call(["git", "tcr", "status", "--json"], cwd=cwd)
        if not step.json:
            raise Wrong(f"status says nothing ({step.code}): {brief(step.message)}")
        return step.json

    def _call(self, command, cwd=None, env=None, stdin=None, timeout=120):
        try:
            done = subprocess.run(command, cwd=cwd or self.dir, env={**self.env, **(env or {})}, input=stdin,
                                  capture_output=True, text=True, timeout=timeout, errors="replace")
        except subprocess.TimeoutExpired:
            raise Wrong(f"{' '.join(command[:3])} did not end within {timeout} s")
        self.story.append(f"$ {' '.join(command)} -> {done.returncode}\n{done.stdout}{done.stderr}")
        return Step(done.returncode, done.stdout, done.stderr)

    # -- a step by hand, with what is right about it

    def accepted(self, step=None):
        """Nothing was taken away, and the tool could decide."""
        step = step or self.last
        if step["action"] in ("revert", "take_back") or step["undone"] or step["taken_back"] or step["recover"]:
            raise Wrong(f"taken away: {names(step)}: {reason(step)}")
        if step["action"] == "error" or step.code == 2 and step["action"] != "keep":
            raise Wrong(f"refused: {reason(step)}")
        return step

    def red(self, shows=None):
        """The new test fails as it should: accepted, committed, source is unlocked."""
        step = self.accepted(self.run())
        self.expect(step["next_phase"] == "green", f"an honest red unlocked nothing: {reason(step)}")
        self.expect(step["action"] == "commit", f"an honest red was not committed: {reason(step)}")
        if shows:
            self.expect(shows in step.message, f"the message does not show {shows!r}")
        return step

    def green(self, phase="red"):
        """The code makes the tests pass: accepted, committed, the next cycle begins."""
        step = self.accepted(self.run())
        self.expect(step["verdict"] == "green", f"verdict {step['verdict']} instead of green: {reason(step)}")
        self.expect(step["action"] == "commit", f"a green was not committed: {reason(step)}")
        self.expect(step["next_phase"] == phase, f"phase {step['next_phase']} after a green, not {phase}")
        return step

    def refactored(self):
        """A step in `refactor` is accepted and committed."""
        step = self.accepted(self.run())
        self.expect(step["verdict"] == "green", f"verdict {step['verdict']} instead of green: {reason(step)}")
        self.expect(step["action"] == "commit", f"not committed: {reason(step)}")
        return step

    def refactor(self):
        step = self.tcr("phase", "refactor", "--json")
        self.expect(step.code == 0, f"`phase refactor` was refused: {reason(step)}")

    def kept_uncommitted(self):
        """`broken`, or another reason to wait: nothing is taken away."""
        return self.accepted(self.run())

    # -- what is right in the end

    def expect(self, true, what):
        if not true:
            raise Wrong(what)

    def kept(self, path, *texts):
        text = self.read(path)
        for part in texts:
            self.expect(part in text, f"{path} lost {part!r}")

    def gone(self, path, text=None):
        if text is None:
            self.expect(not self.path(path).exists(), f"{path} came back")
        else:
            self.expect(text not in self.read(path), f"{path} has {text!r} again")

    def phase(self, wanted):
        phase = self.status()["phase"]
        self.expect(phase == wanted, f"phase {phase}, not {wanted}")

    def committed(self, path, *texts, branch=None):
        branch = branch or "tcr/" + self.status()["base"]
        step = self.git("show", f"{branch}:{path}", ok=False)
        self.expect(step.code == 0, f"{path} is not committed on {branch}")
        for part in texts:
            self.expect(part in step.out, f"{path} on {branch} lacks {part!r}")

    def clean(self):
        out = self.git("status", "--porcelain").out
        self.expect(not out.strip(), f"left uncommitted: {brief(out)}")

    def squash(self, message="Work"):
        step = self.tcr("squash", "-m", message, "--json")
        self.expect(step.code == 0, f"squash was refused: {reason(step)}")
        step = self.tcr("verify", "--json")
        self.expect(step.code == 0, f"`verify` says no to honest work: {brief(step.message)}")

    # -- cheats: that they would work where nobody looks on, and that they do not work here

    def would(self, true, what):
        """A cheat that does not even work without enforcement is a broken story."""
        if not true:
            raise Wrong(f"the story is broken: {what}")

    def passes_plain(self, files, command):
        """In a copy of the worktree without the tool, with these files (None: deleted), the tests pass."""
        copy = Path(tempfile.mkdtemp(prefix="plain-", dir=self.root)) / "repo"
        shutil.copytree(self.dir, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".claude", "target", "__pycache__"))
        for path, text in files.items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).unlink() if text is None else (copy / path).write_text(text)
        step = self._call(["bash", "-c", command], cwd=copy)
        shutil.rmtree(copy)
        self.would(step.code == 0, f"`{command}` does not pass: {brief(step.message[-300:])}")

    def commits_plain(self, path, text, *commands):
        """In a clone without the tool, these commands get the text into HEAD."""
        twin = Path(tempfile.mkdtemp(prefix="twin-", dir=self.root)) / "repo"
        self.git("clone", "-q", str(self.dir), str(twin))
        for command in commands:
            step = self._call(["bash", "-c", command], cwd=twin)
            self.would(step.code == 0, f"`{brief(command, 80)}` fails: {brief(step.message)}")
        self.would(text in self.git("show", f"HEAD:{path}", ok=False, cwd=twin).out, f"{path} is not committed even without the tool")

    def switched_by_person(self, command, back):
        """A person may do this, and does not leave it so: what it changes in `status`."""
        before = {key: self.status()[key] for key in ("enabled", "mode")}
        self._call(["bash", "-c", f"git tcr {command} || git tcr {command} --yes"])
        after = {key: self.status()[key] for key in ("enabled", "mode")}
        self.would(before != after, f"`git tcr {command}` does nothing for a person either: {after}")
        self._call(["bash", "-c", f"git tcr {back} || git tcr {back} --yes"])
        self.would(before == {key: self.status()[key] for key in ("enabled", "mode")}, f"`git tcr {back}` does not lead back")

    def armed(self):
        """The tool is on, as strict as before."""
        status = self.status()
        self.expect(status["enabled"] and status["mode"] == "both", f"it is switched off: enabled {status['enabled']}, mode {status['mode']}")

    def anywhere(self, path, text):
        """Whether the text is committed where the work is: HEAD, the base branch, the WIP branch."""
        return any(text in self.git("show", f"{ref}:{path}", ok=False).out for ref in ("HEAD", "refs/heads/main", "refs/heads/tcr/main"))

    def shipped(self, setup=""):
        """A person squashes, and replays the history as CI does: whether both say yes."""
        self.git("checkout", "-q", "--", ".", ok=False)
        self.git("clean", "-fdq", ok=False)
        if self.tcr("squash", "-m", "Work", "--json").code != 0:
            return False
        return self.tcr("verify", "--replay", "--json", *(["--setup", setup] if setup else [])).code != 1

    def _not_on_base(self, path, text):
        self.expect(text not in self.git("show", f"refs/heads/main:{path}", ok=False).out, f"{path} with {text!r} is committed on the base branch itself")

    def stopped(self, path, text, setup=""):
        """The text is not committed, or does not get through squash and replay."""
        self._not_on_base(path, text)
        self.expect(not self.anywhere(path, text) or not self.shipped(setup), f"{path} with {text!r} is committed, squashed, and replay says yes")

    def stopped_or_named(self, path, text, setup=""):
        """As `stopped`, but it is enough if the squashed commit says that tests were changed or weakened."""
        self._not_on_base(path, text)
        if self.anywhere(path, text) and self.shipped(setup):
            log = self.git("log", "--format=%B", "main").out
            self.expect(re.search(r"^TCR-Tests-(Weakened|Changed): [1-9]", log, re.M), f"{path} with {text!r} is committed and squashed under a weakened test that nothing names")

    def says(self, *texts, step=None):
        message = (step or self.last).message
        for text in texts:
            self.expect(text in message, f"the message does not say {text!r}")

    def cycle(self, test, test_text, source, source_text):
        """One plain cycle by hand: a failing test, then its code; texts are appended."""
        for path, text, judge in ((test, test_text, self.red), (source, source_text, self.green)):
            self.append(path, text) if self.path(path).exists() else self.write(path, text)
            judge()

    # -- hints

    def hints(self, step=None):
        """The commands named in the hints of a message."""
        step = step or self.last
        text = "\n".join(step.json.get("hints") or []) or "\n".join(
            line.partition("hint:")[2] for line in step.message.splitlines() if line.strip().startswith("hint:"))
        found = re.findall(r"`(git tcr [^`]+)`", text) or re.findall(r"(git tcr [a-z][a-z-]*(?: --?[a-z]+)*)", text)
        return [one.replace("TEXT", "'the test was wrong'") for one in found]

    def follow_hint(self, agent=False):
        """Runs the first command named in the last message; whether it worked."""
        commands = self.hints(self.agent.last if agent else self.last)
        if not commands:
            raise Wrong(f"a dead end without a command to type: {brief((self.agent.last if agent else self.last).message)}")
        if agent:
            step = self.agent.bash(commands[0], free=True)
            return not step.denied and step.shell.code != 2
        step = self._call(["bash", "-c", commands[0] + ("" if "--json" in commands[0] else " --json")])
        self.last = step
        return step.code != 2

    def leads_out(self, again, agent=False, tries=3):
        """Following the hints, at most `tries` times, the wanted thing goes through."""
        followed = []
        for _ in range(tries):
            commands = self.hints(self.agent.last if agent else self.last)
            followed += commands[:1]
            self.follow_hint(agent)
            if again():
                return
        raise Wrong(f"the hints lead nowhere: followed {followed}; now: {brief((self.agent.last if agent else self.last).message)}")


class Agent:
    """A coding agent behind the hooks of Claude Code."""

    session = "3ab8b654-47d0-4c64-bc26-5a25b38e36d9"

    def __init__(self, case, agent_id=None):
        self.case, self.agent_id, self.count, self.last = case, agent_id, 0, None
        self.as_installed = False  # whether the hooks are those of the client's settings, as they are now

    def sub(self, agent_id):
        """Another agent of the same session."""
        return Agent(self.case, agent_id)

    def new_session(self, session="9d0c1c52-6f0e-4a4e-9a55-0f6f6c1f7a11"):
        """The same client, started once more."""
        other = Agent(self.case)
        other.session, other.as_installed = session, self.as_installed
        other.start()
        return other

    def _payload(self, event, **fields):
        who = {"agent_id": self.agent_id, "agent_type": "general-purpose"} if self.agent_id else {}
        return json.dumps({"session_id": self.session, "transcript_path": str(self.case.home / ".claude/projects/repo/s.jsonl"),
                           "cwd": str(self.case.dir), "prompt_id": "fb34c9a8-204d-4368-aef8-5afe8a693fff",
                           "permission_mode": "acceptEdits", **who, "hook_event_name": event, **fields})

    def _client(self, *command):
        """A call made by the client's own process, which is named as Claude Code's is."""
        program = self.case.root / "client/claude"
        if not program.exists():
            program.parent.mkdir()
            shutil.copy2("/bin/bash", program)
        return [str(program), "-c", '"$@"; exit $?', "claude", *command]

    def _hook(self, command, payload):
        call, environment = ["git-tcr", command, "--client", "claude-code"], {"CLAUDE_PROJECT_DIR": str(self.case.dir)}
        if not self.as_installed:
            return self.case._call(self._client(*call), stdin=payload, env=environment)
        step = Step(0, "", "")
        for text in self.hooks(json.loads(payload)["hook_event_name"]):
            step = self.case._call(self._client("sh", "-c", text), stdin=payload, env=environment)
        return step

    def hooks(self, event):
        """The commands that Claude Code's settings name for an event; none if they disable all hooks."""
        found = []
        for file in (self.case.home / ".claude/settings.json", self.case.path(".claude/settings.json"), self.case.path(".claude/settings.local.json")):
            try:
                given = json.loads(file.read_text())
            except (OSError, ValueError):
                continue
            if given.get("disableAllHooks"):
                return []
            found += [hook["command"] for group in (given.get("hooks") or {}).get(event) or [] for hook in group.get("hooks") or []]
        return list(dict.fromkeys(found))

    def start(self):
        self._hook("session", self._payload("SessionStart", source="startup"))

    def prompt(self, text="go on"):
        self._hook("session", self._payload("UserPromptSubmit", prompt=text))

    def stop(self):
        step = self._hook("session", self._payload("Stop", stop_hook_active=False, last_assistant_message="done",
                                                   background_tasks=[], session_crons=[]))
        answer = step.json
        self.last = Step(step.code, step.out, step.err, message=answer.get("reason") or answer.get("systemMessage") or step.message)
        return self.last

    def _tool(self, name, given, perform, free):
        """PreToolUse, the tool if it is allowed, PostToolUse; what the agent is told."""
        self.count += 1
        facts = {"tool_name": name, "tool_input": given, "tool_use_id": f"toolu_{self.count}_0"}
        gate = self._hook("gate", self._payload("PreToolUse", **facts))
        answer = gate.json.get("hookSpecificOutput") or {}
        if gate.code != 0 or answer.get("permissionDecision") in ("deny", "ask"):
            self.last = Step(gate.code, gate.out, gate.err, True, answer.get("permissionDecisionReason") or gate.message)
            self.last.shell = None
            if not free:
                raise Wrong(f"denied {name} {brief(given.get('file_path') or given.get('command') or '', 70)}: {brief(self.last.message)}")
            return self.last
        response, shell = perform()
        if shell is not None and shell.code != 0:
            facts = {**facts, "error": f"Exit code {shell.code}", "is_interrupt": False}
            loop = self._hook("loop", self._payload("PostToolUseFailure", **facts, duration_ms=5))
        else:
            loop = self._hook("loop", self._payload("PostToolUse", **facts, tool_response=response, duration_ms=5))
        answer = loop.json.get("hookSpecificOutput") or {}
        told = answer.get("additionalContext") or loop.json.get("reason") or loop.message
        self.last = Step(loop.code, loop.out, loop.err, False, (shell.message if shell else "") + told)
        self.last.shell = shell
        return self.last

    def write(self, path, text, free=False):
        """Writes a file; unless `free`, it has to be allowed and still be there afterwards."""
        target = self.case.path(path)
        before = target.read_text() if target.exists() else None

        def perform():
            self.case.write(path, text)
            return {"type": "update" if before is not None else "create", "filePath": str(target), "content": text,
                    "structuredPatch": [], "originalFile": before, "userModified": False}, None

        step = self._tool("Write", {"file_path": str(target), "content": text}, perform, free)
        if not free:
            self._still(path, text)
        return step

    def edit(self, path, old, new, free=False):
        target = self.case.path(path)
        before = self.case.read(path)
        if old not in before:
            raise Wrong(f"{path} no longer has {old!r}: taken away earlier")
        after = before.replace(old, new, 1)

        def perform():
            self.case.write(path, after)
            return {"filePath": str(target), "oldString": old, "newString": new, "originalFile": before,
                    "structuredPatch": [], "userModified": False, "replaceAll": False}, None

        given = {"file_path": str(target), "old_string": old, "new_string": new, "replace_all": False}
        step = self._tool("Edit", given, perform, free)
        if not free:
            self._still(path, after)
        return step

    def append(self, path, text, free=False):
        """An Edit that puts text behind the last line of a file."""
        last = self.case.read(path).splitlines(keepends=True)
        tail = "".join(last[-3:])
        return self.edit(path, tail, tail + text, free)

    def bash(self, command, free=False):
        def perform():
            shell = self.case._call(self._client("bash", "-c", command), env={"CLAUDECODE": "1", "AI_AGENT": "claude-code", "CLAUDE_CODE_SESSION_ID": self.session})
            return {"stdout": shell.out, "stderr": shell.err, "interrupted": False, "isImage": False, "noOutputExpected": False}, shell

        return self._tool("Bash", {"command": command, "description": "run it"}, perform, free)

    def interrupted(self, perform):
        """A shell call that a person stops with Ctrl-C: the client tells nobody that it ended."""
        self.count += 1
        self._hook("gate", self._payload("PreToolUse", tool_name="Bash", tool_input={"command": "make all", "description": "run it"}, tool_use_id=f"toolu_{self.count}_0"))
        perform()

    def read(self, path):
        target = str(self.case.path(path))
        return self._tool("Read", {"file_path": target}, lambda: ({"type": "text", "file": {"filePath": target}}, None), False)

    def _still(self, path, text):
        target = self.case.path(path)
        if not target.exists() or target.read_text() != text:
            raise Wrong(f"taken away after the call: {path}: {brief(self.last.message)}")


def brief(text, size=230):
    text = " ".join(str(text).split())
    return text if len(text) <= size else text[:size] + "…"


def reason(step):
    return brief("; ".join(str(part) for part in [step["reason"], *(step["remarks"] or [])] if part) or step.message)


def names(step):
    return brief(", ".join(str(one if isinstance(one, str) else one.get("path", one)) for one in (step["taken_back"] or step["undone"] or step["files"] or [])), 120)


# --- playing them ---------------------------------------------------------------------------

def play(one, root, binary, keep):
    began = time.monotonic()
    folder = tempfile.mkdtemp(prefix=one["name"] + "-", dir=root)
    stage = Case(folder, binary)
    result = {"name": one["name"], "kind": one["kind"], "honest": one["honest"], "why": one["why"], "outcome": "ok", "what": ""}
    try:
        for what in one["needs"]:
            if not has(what):
                raise Skip(f"{what} is not installed")
        one["function"](stage)
    except Skip as skip:
        result.update(outcome="skip", what=str(skip))
    except Wrong as wrong:
        result.update(outcome="WRONG", what=str(wrong))
    except Exception as error:
        result.update(outcome="WRONG", what="the case could not go on: " + brief("".join(traceback.format_exception_only(error))))
        stage.story.append(traceback.format_exc())
    result["seconds"] = round(time.monotonic() - began, 2)
    (Path(root) / (one["name"] + ".story")).write_text("\n".join(stage.story))
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    return result


def load(folder):
    for file in sorted(Path(folder).glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"cases_{abs(hash(str(file)))}", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dirs", nargs="+")
    parser.add_argument("--only", action="append", default=[], help="only cases whose name or kind contains this")
    parser.add_argument("--skip", action="append", default=[], help="no cases whose name or kind contains this")
    parser.add_argument("--json", dest="out")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="keep the folders, and say where they are")
    given = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    for folder in given.dirs:
        load(Path(folder) / "cases" if (Path(folder) / "cases").is_dir() else folder)
    def named(one, texts):
        return any(text in one["name"] or text in one["kind"] for text in texts)

    cases = [one for one in CASES if (not given.only or named(one, given.only)) and not named(one, given.skip)]
    doubles = {one["name"] for one in CASES if sum(other["name"] == one["name"] for other in CASES) > 1}
    if doubles:
        parser.error(f"two cases have the same name: {', '.join(sorted(doubles))}")
    found = os.environ.get("GIT_TCR_BIN") or shutil.which("git-tcr")
    prepare()
    root = tempfile.mkdtemp(prefix="honest-")
    os.makedirs(Path(root) / "prefix/bin")
    binary = shutil.copy2(found, Path(root) / "prefix/bin/git-tcr")  # `install` writes beside its program
    results = []
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for result in pool.map(lambda one: play(one, root, binary, given.keep), cases):
            results.append(result)
            print(f"{result['outcome']:5} {result['name']}" + (f": {result['what']}" if result["what"] else ""), flush=True)
    counted = [one for one in results if one["outcome"] != "skip"]
    honest = [one for one in counted if one["honest"]]
    controls = [one for one in counted if not one["honest"]]
    right = sum(one["outcome"] == "ok" for one in honest)
    stopped = sum(one["outcome"] == "ok" for one in controls)
    if given.out:
        Path(given.out).write_text(json.dumps({"right": right, "honest": len(honest), "stopped": stopped, "dishonest": len(controls), "cases": results}, indent=1) + "\n")
    if given.keep:
        print(f"kept in {root}")
    else:
        shutil.rmtree(root, ignore_errors=True)
    print(f"right {right} of {len(honest)} honest, {stopped} of {len(controls)} dishonest stopped")
    return 0 if right == len(honest) and stopped == len(controls) else 1


if __name__ == "__main__":
    sys.exit(main())
