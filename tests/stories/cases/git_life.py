"""Honest work amid git's own operations, branches, restarts and settings."""
import os
import signal
import subprocess
import time

from honest import case

MUL_TEST = "\n    def test_half(self):\n        self.assertEqual(money.half(300), 150)\n"
MUL_CODE = "\n\ndef half(cents):\n    return cents // 2\n"
SLOW = {"tests/test_slow.py": "import time\nimport unittest\n\n\nclass SlowTest(unittest.TestCase):\n    def test_slow(self):\n        time.sleep(1.2)\n"}


@case("two branches", "two features on two branches, one after the other, each squashed; neither branch knows of the other")
def git_two_features_on_two_branches(c):
    c.repo("unittest")
    c.git("switch", "-qc", "feat/half")
    c.tcr("on")
    c.cycle("tests/test_money.py", MUL_TEST, "shop/money.py", MUL_CODE)
    c.squash("Half")
    c.git("switch", "-q", "main")
    c.git("switch", "-qc", "feat/double")
    c.tcr("on")
    c.cycle("tests/test_money.py", "\n    def test_double(self):\n        self.assertEqual(money.double(150), 300)\n", "shop/money.py", "\n\ndef double(cents):\n    return cents * 2\n")
    c.squash("Double")
    c.committed("shop/money.py", "def half", branch="feat/half")
    c.committed("shop/money.py", "def double", branch="feat/double")


@case("branch switch in green", "in the middle of green an urgent fix is made on another branch; coming back, the work goes on where it was")
def git_hotfix_in_the_middle_of_green(c):
    c.repo("unittest")
    c.append("tests/test_money.py", MUL_TEST)
    c.red()
    c.git("switch", "-qc", "hotfix", "main")
    c.tcr("on")
    c.cycle("tests/test_cart.py", "\n    def test_names(self):\n        cart = Cart()\n        cart.add(\"tea\", 1)\n        self.assertEqual(cart.names(), [\"tea\"])\n", "shop/cart.py", "\n    def names(self):\n        return [line[0] for line in self.lines]\n")
    c.squash("Names")
    c.git("switch", "-q", "tcr/main")
    c.phase("green")
    c.append("shop/money.py", MUL_CODE)
    c.green()


@case("stash", "half-written code is stashed, the tests are run, the stash is popped: nothing of it is lost and the end is green")
def git_stash_in_green(c):
    c.repo("unittest")
    c.append("tests/test_money.py", MUL_TEST)
    c.red()
    c.append("shop/money.py", "\n\ndef half(cents):\n    return cents\n")
    c.git("stash")
    c.run()
    c.git("stash", "pop")
    c.kept("shop/money.py", "def half")
    c.edit("shop/money.py", "    return cents\n", "    return cents // 2\n")
    c.green()


@case("merge", "a colleague's work, source with tests, is merged into the running work; it is nobody's fault and is kept")
def git_merge_of_colleagues_work(c):
    c.repo("unittest")
    c.cycle("tests/test_money.py", MUL_TEST, "shop/money.py", MUL_CODE)
    c.sh("git worktree add -q --detach ../other main && cd ../other && printf 'def hello():\\n    return 1\\n' > shop/hello.py && printf 'import unittest\\n\\nfrom shop.hello import hello\\n\\n\\nclass HelloTest(unittest.TestCase):\\n    def test_hello(self):\\n        self.assertEqual(hello(), 1)\\n' > tests/test_hello.py && git add -A && git commit -qm Hello && git branch colleague && cd - && git worktree remove --force ../other")
    c.git("merge", "-q", "--no-edit", "colleague")
    c.accepted(c.run())
    c.kept("shop/hello.py", "def hello")
    c.cycle("tests/test_cart.py", "\n    def test_size(self):\n        self.assertEqual(Cart().size(), 0)\n", "shop/cart.py", "\n    def size(self):\n        return len(self.lines)\n")
    c.squash("Size and half")


@case("base moves on", "the base branch got commits while the work went on; squash carries the work over, tests it and verifies")
def git_base_moved_before_squash(c):
    c.repo("unittest")
    c.cycle("tests/test_money.py", MUL_TEST, "shop/money.py", MUL_CODE)
    c.sh("git worktree add -q ../other main && cd ../other && echo more >> README.md && git commit -qam 'More words' && cd - && git worktree remove --force ../other")
    c.squash("Half")
    c.committed("README.md", "more", branch="main")
    c.committed("shop/money.py", "def half", branch="main")


@case("commit by hand", "a person commits documentation by hand in the middle; that commit is a new baseline and the cycle goes on")
def git_commit_by_hand_between(c):
    c.repo("unittest")
    c.cycle("tests/test_money.py", MUL_TEST, "shop/money.py", MUL_CODE)
    c.append("README.md", "\nHalves too.\n")
    c.git("commit", "-qam", "Say so")
    c.cycle("tests/test_cart.py", "\n    def test_size(self):\n        self.assertEqual(Cart().size(), 0)\n", "shop/cart.py", "\n    def size(self):\n        return len(self.lines)\n")
    c.squash("Size")
    c.committed("README.md", "Halves", branch="main")


@case("worktree", "a linked worktree for a second task: its first test is a red there, its code a green, and the main worktree is left alone")
def git_linked_worktree(c):
    c.repo("unittest")
    c.git("worktree", "add", "-q", "-b", "feat/half", "../wt")
    other = c.root / "wt"
    c.tcr("on", cwd=other)
    for path, text in (("tests/test_money.py", MUL_TEST), ("shop/money.py", MUL_CODE)):
        with open(other / path, "a") as file:
            file.write(text)
        c.accepted(c.run(cwd=other))
    c.committed("shop/money.py", "def half", branch="tcr/feat/half")
    c.clean()
    c.phase("red")


@case("interrupted run", "the run is killed in the middle of the tests; the next run takes up the same work and judges it")
def git_killed_run_then_again(c):
    c.repo("unittest")
    c.append("tests/test_money.py", MUL_TEST.replace("        self", "        __import__(\"time\").sleep(1.2)\n        self", 1))
    run = subprocess.Popen(["git", "tcr", "run", "--json"], cwd=c.dir, env=c.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(0.5)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    c.kept("tests/test_money.py", "test_half")
    c.red()
    c.append("shop/money.py", MUL_CODE)
    c.green()


@case("edit during a run", "while the tests run, a person goes on typing; what was typed stays, and the next run judges it")
def git_edit_while_tests_run(c):
    c.repo("unittest", SLOW)
    c.append("tests/test_money.py", MUL_TEST)
    c.red()
    c.append("shop/money.py", MUL_CODE)
    run = subprocess.Popen(["git", "tcr", "run", "--json"], cwd=c.dir, env=c.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.6)
    c.append("shop/money.py", "\n\n# half is rounded down\n")
    run.wait()
    c.kept("shop/money.py", "def half", "# half is rounded down")
    c.accepted(c.run())
    c.committed("shop/money.py", "def half", "# half is rounded down")
    c.phase("red")


@case("reinstall", "taken out and put in again in the middle of green; the code for the failing test is still asked for and accepted")
def git_uninstall_and_install_in_green(c):
    c.repo("unittest")
    c.append("tests/test_money.py", MUL_TEST)
    c.red()
    c.expect(c.tcr("uninstall").code == 0, "uninstall failed")
    c.install()
    c.append("shop/money.py", MUL_CODE)
    c.accepted(c.run())
    c.kept("shop/money.py", "def half")
    c.committed("shop/money.py", "def half")
    c.expect(not c.status()["known_failures"], "the test of the running cycle became a known failure")


@case("config change", "a person changes the config, accepts it with install, and goes on working")
def git_config_change_accepted(c):
    c.repo("unittest")
    c.write(".tcr.toml", "test = \"python3 -m unittest\"\ntimeout_s = 60\nlint = \"python3 -m compileall -q shop\"\n")
    c.install()
    c.expect(not c.status()["config_differs"], "the accepted config still differs")
    c.cycle("tests/test_money.py", MUL_TEST, "shop/money.py", MUL_CODE)
    c.squash("Half")


@case("from a subfolder", "the command is typed in a subfolder; it means the same repository")
def git_run_from_subfolder(c):
    c.repo("unittest")
    c.append("tests/test_money.py", MUL_TEST)
    step = c.accepted(c.run(cwd=c.dir / "shop"))
    c.expect(step["next_phase"] == "green", f"phase {step['next_phase']}")
    c.append("shop/money.py", MUL_CODE)
    c.accepted(c.run(cwd=c.dir / "tests"))
    c.phase("red")


@case("file names", "test data and modules with blanks and letters beyond ASCII in their names are files like any other")
def git_names_with_blanks_and_umlauts(c):
    c.repo("unittest")
    c.write("tests/data/größe 1.json", "{\"tea\": 250}\n")
    c.write("tests/test_price.py", "import json\nimport pathlib\nimport unittest\n\nfrom shop import price\n\n\nclass PriceTest(unittest.TestCase):\n    def test_price(self):\n        data = json.loads((pathlib.Path(__file__).parent / \"data/größe 1.json\").read_text())\n        self.assertEqual(price.of(\"tea\", data), 250)\n")
    c.write("shop/price.py", "def of(name, data):\n    raise NotImplementedError\n")
    c.red()
    c.write("shop/price.py", "def of(name, data):\n    return data[name]\n")
    c.write("docs/über uns.md", "# wir\n")
    c.green()
    c.committed("docs/über uns.md", "wir")
    c.clean()


@case("leftovers of tests", "the tests write a file into the project; it is neither an implementation nor anybody's work, and stops nothing")
def git_tests_leave_files_behind(c):
    c.repo("unittest", {"tests/test_out.py": "import unittest\n\n\nclass OutTest(unittest.TestCase):\n    def test_out(self):\n        with open(\"out.log\", \"a\") as file:\n            file.write(\"run\\n\")\n"})
    c.cycle("tests/test_money.py", MUL_TEST, "shop/money.py", MUL_CODE)
    c.refactor()
    c.edit("shop/money.py", "return cents // 2", "return int(cents / 2)")
    c.refactored()


@case("slow suite", "with `trigger = \"turn\"` an agent writes test and code in one turn, judged at its end; the test still came first")
def git_trigger_turn(c):
    c.repo("unittest", {".tcr.toml": "test = \"python3 -m unittest\"\ntrigger = \"turn\"\n", **SLOW})
    c.agent.start()
    c.agent.prompt()
    c.agent.append("tests/test_money.py", MUL_TEST)
    c.agent.stop()
    c.phase("green")
    c.agent.prompt()
    c.agent.append("shop/money.py", "\n\ndef half(cents):\n    raise ValueError(cents)\n")
    c.agent.edit("shop/money.py", "    raise ValueError(cents)", "    return cents // 2")
    c.agent.stop()
    c.phase("red")
    c.committed("shop/money.py", "return cents // 2")


@case("person beside the agent", "what a person typed before the prompt is theirs: the agent's wrong attempt is taken back, the person's line stays")
def git_persons_edit_survives_agents_revert(c):
    c.repo("unittest")
    c.agent.start()
    c.agent.append("tests/test_money.py", MUL_TEST)
    c.edit("shop/cart.py", "class Cart:\n", "class Cart:\n    # one for each customer\n")
    c.agent.prompt()
    c.agent.append("shop/money.py", "\n\ndef half(cents):\n    return cents\n", free=True)
    c.kept("shop/cart.py", "# one for each customer")
    if "def half" in c.read("shop/money.py"):
        c.agent.edit("shop/money.py", "    return cents\n", "    return cents // 2\n")
    else:
        c.agent.append("shop/money.py", MUL_CODE)
    c.phase("red")
    c.kept("shop/cart.py", "# one for each customer")


@case("generated code", "generated files are `exempt`: an agent's generator writes them in red with a shell command, and they ride along")
def git_generated_code_is_exempt(c):
    c.repo("unittest", {".tcr.toml": "test = \"python3 -m unittest\"\nexempt = [\"shop/gen/**\"]\n", "gen.sh": "mkdir -p shop/gen\necho 'VERSION = 2' > shop/gen/api.py\n", "shop/gen/api.py": "VERSION = 1\n"})
    c.agent.start()
    c.agent.bash("sh gen.sh")
    c.kept("shop/gen/api.py", "VERSION = 2")
    c.agent.append("tests/test_money.py", MUL_TEST)
    c.agent.append("shop/money.py", MUL_CODE)
    c.phase("red")
    c.committed("shop/gen/api.py", "VERSION = 2")


@case("scratch files", "a scratch script outside the repository, written, run and removed by an agent, is no business of the project's rules")
def git_agent_scratch_outside(c):
    c.repo("unittest")
    c.agent.start()
    scratch = c.root / "scratch"
    scratch.mkdir()
    c.agent.bash(f"cat > {scratch}/try.py <<'E'\nfrom shop.money import show\nprint(show(5))\nE\nPYTHONPATH=. python3 {scratch}/try.py")
    c.agent.bash(f"rm {scratch}/try.py")
    c.agent.write("../scratch/notes.py", "x = 1\n")
    c.clean()
