"""Found first on PYTHONPATH: writes one JSON line for each result of unittest, or of what is built on it; and runs
the hooks for other runners that lie beside it."""

import importlib.abc
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _run_the_users_own():
    """The interpreter stops at the first module of this name, so we pass the call on."""
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != _HERE]
    mine = sys.modules.pop("sitecustomize", None)
    try:
        spec = importlib.util.find_spec("sitecustomize")
        if spec is not None and spec.loader is not None:
            module = importlib.util.module_from_spec(spec)
            sys.modules["sitecustomize"] = module
            spec.loader.exec_module(module)
    finally:
        sys.modules.setdefault("sitecustomize", mine)


def _record(result_class, path):
    import json
    import traceback

    pid = os.getpid()

    def write(**fields):
        # What the tests start themselves is not the run.
        os.environ.pop("GIT_TCR_OUT", None)
        os.environ.pop("GIT_TCR_AIM", None)
        # Workers pass on what they find to the process that started them.
        if os.getpid() != pid:
            return
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(json.dumps(fields) + "\n")

    def file_of(test):
        module = sys.modules.get(type(test).__module__)
        return getattr(module, "__file__", None)

    def details(error, test=None):
        if not isinstance(error, tuple) or error[0] is None:
            return {"error": None}
        own = file_of(test)
        lines = [frame.lineno for frame in traceback.extract_tb(error[2]) if own and frame.filename == own]
        text = "".join(traceback.format_exception_only(error[0], error[1]))
        fixtures = ("setUp", "tearDown", "asyncSetUp", "asyncTearDown", "_callCleanup")
        setup = any(frame.name in fixtures for frame in traceback.extract_tb(error[2]))
        at = [own, lines[-1]] if lines else None
        return {"error": error[0].__name__, "message": text.strip()[:2000], "setup": setup, "at": at}

    def wrap(method, status):
        original = getattr(result_class, method)

        def wrapper(self, test, *rest):
            if _told_by_others:
                return original(self, test, *rest)
            # A part that is skipped is told of by itself, and belongs to its test.
            whole = getattr(test, "test_case", test)
            write(
                id=whole.id(),
                file=file_of(whole),
                status=status,
                type=type(test).__name__,
                **details(rest[0] if rest else None, whole)
            )
            return original(self, test, *rest)

        setattr(result_class, method, wrapper)

    wrap("addSuccess", "passed")
    wrap("addFailure", "failed")
    wrap("addError", "error")
    wrap("addSkip", "skipped")
    wrap("addExpectedFailure", "xfail")
    wrap("addUnexpectedSuccess", "xpass")

    start_test, stop_run = result_class.startTest, result_class.stopTestRun
    add_sub_test = result_class.addSubTest

    def started(self, test):
        if _told_by_others:
            return start_test(self, test)
        write(event="begin", id=test.id())
        return start_test(self, test)

    def sub_test(self, test, subtest, error):
        status = "passed"
        if error is not None:
            is_failure = issubclass(error[0], test.failureException)
            status = "failed" if is_failure else "error"
        write(id=test.id(), file=file_of(test), sub=str(subtest), status=status, **details(error, test))
        return add_sub_test(self, test, subtest, error)

    def stopped(self):
        if _told_by_others:
            return stop_run(self)
        write(event="finished", run=self.testsRun)
        return stop_run(self)

    result_class.startTest = started
    result_class.addSubTest = sub_test
    result_class.stopTestRun = stopped


def _aim(loader_class, path):
    """Loads only the modules of wanted tests, and of these only the wanted tests."""
    import json

    with open(path, encoding="utf-8") as file:
        aim = json.load(file)
    tests, files = aim["tests"], aim["files"]

    def parts(file):
        return os.path.splitext(os.path.relpath(file, aim["root"]))[0].split(os.sep)

    modules = None if files is None else [parts(file) for file in files]

    def is_on(self):
        return "GIT_TCR_AIM" in os.environ

    def leads_to_wanted(path):
        path = os.path.realpath(path)
        folder = path + os.sep
        return files is None or path in files or any(file.startswith(folder) for file in files)

    def may_lead(name):
        """Whether a dotted name and the module of a wanted test begin alike."""
        words = name.split(".")
        if modules is None or name.endswith(".py"):
            return True
        tails = [module[at:] for module in modules for at in range(len(module))]
        return any(one == other for tail in tails for one, other in [(tail[: len(words)], words[: len(tail)])])

    def is_wanted(test, wanted, exactly):
        if exactly:
            return test.id() == wanted["id"]
        if type(test).__name__ in ("_FailedTest", "ModuleImportFailure", "LoadTestsFailure"):
            return may_lead(getattr(test, "_testMethodName", ""))
        module = sys.modules.get(type(test).__module__)
        file = getattr(module, "__file__", None)
        if wanted["file"] is not None and (file is None or os.path.realpath(file) != wanted["file"]):
            return False
        names = test.id().split(".")
        name = wanted["name"] or wanted["id"].split(".")[-1]
        return (not name and wanted["file"] is not None) or (
            names[-1] == name and all(one in names for one in wanted["path"])
        )

    def leaves(suite):
        try:
            inner = list(suite)
        except TypeError:
            return [suite]
        return [leaf for one in inner for leaf in leaves(one)]

    def filtered(self, suite):
        if not is_on(self):
            return suite
        all_tests = leaves(suite)
        keep = set()
        for wanted in tests:
            chosen = [test for test in all_tests if is_wanted(test, wanted, True)]
            chosen = chosen or [test for test in all_tests if is_wanted(test, wanted, False)]
            keep.update(id(test) for test in chosen)
        return self.suiteClass([test for test in all_tests if id(test) in keep])

    match_path = loader_class._match_path
    from_module, from_name = loader_class.loadTestsFromModule, loader_class.loadTestsFromName

    def matches(self, path, full_path, pattern):
        return (not is_on(self) or leads_to_wanted(full_path)) and match_path(self, path, full_path, pattern)

    def load_module(self, *args, **options):
        return filtered(self, from_module(self, *args, **options))

    def load_name(self, name, module=None):
        if is_on(self) and module is None and not may_lead(name):
            return self.suiteClass([])
        return filtered(self, from_name(self, name, module))

    loader_class._match_path = matches
    loader_class.loadTestsFromModule = load_module
    loader_class.loadTestsFromName = load_name


# Names of runners that are built on unittest and tell of their tests in a hook of their own.
_told_by_others = []


class _Lines:
    """What the hooks beside this file write: one line for each thing that happened."""

    def __init__(self, runner):
        self.path = os.path.join(os.environ["GIT_TCR_OUT"], "%s-%d.jsonl" % (runner, os.getpid()))
        self.pid = os.getpid()
        self.any = False

    def write(self, **fields):
        import json

        # What the tests start themselves is not the run.
        os.environ.pop("GIT_TCR_OUT", None)
        os.environ.pop("GIT_TCR_AIM", None)
        if os.getpid() != self.pid:
            return
        text = "" if self.any else '{"event": "start"}\n'
        self.any = True
        with open(self.path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + json.dumps(fields) + "\n")

    def begin(self, name):
        self.write(event="begin", id=name)

    def test(self, name, status, error=None, **fields):
        """`error` is what was raised."""
        if error is not None:
            import traceback

            words = "".join(traceback.format_exception_only(type(error), error)).strip()
            own = fields.get("file")
            lines = [
                frame.lineno
                for frame in traceback.extract_tb(getattr(error, "__traceback__", None))
                if own and os.path.abspath(frame.filename) == os.path.abspath(own)
            ]
            fields.setdefault("kind", type(error).__name__)
            fields.setdefault("message", words[:2000])
            if lines:
                fields.setdefault("at", [own, lines[-1]])
        self.write(id=name, status=status, **fields)

    def load_error(self, what, message):
        self.write(event="load", what=str(what), message=str(message)[:2000])

    def end(self):
        self.write(event="end")


def _run_hooks():
    import glob

    tools = {"Lines": _Lines, "when_imported": _when_imported, "record": _record, "told_by_others": _told_by_others}
    for path in sorted(glob.glob(os.path.join(_HERE, "tcr_*.py"))):
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), dict(tools, __file__=path))


def _when_imported(name, change):
    sys.meta_path.insert(0, _WhenImported(name, change))


class _WhenImported(importlib.abc.MetaPathFinder):
    """Waits until a program imports unittest: others are left alone and lose no time."""

    def __init__(self, wanted, change):
        self.wanted = wanted
        self.change = change

    def find_spec(self, name, paths=None, target=None):
        if name != self.wanted:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            self.change(module)

        spec.loader.exec_module = exec_module
        return spec


if os.environ.get("GIT_TCR_OUT"):
    _name = os.path.join(os.environ["GIT_TCR_OUT"], "unittest-%d.jsonl" % os.getpid())
    sys.meta_path.insert(0, _WhenImported("unittest.result", lambda module: _record(module.TestResult, _name)))
    _wanted = os.environ.get("GIT_TCR_AIM")
    _run_hooks()
    if _wanted:
        sys.meta_path.insert(0, _WhenImported("unittest.loader", lambda module: _aim(module.TestLoader, _wanted)))
_run_the_users_own()
