"""Found first on PYTHONPATH: writes one JSON line for each result of unittest, or of what is built on it."""

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

    def write(**fields):
        # What the tests start themselves is not the run.
        os.environ.pop("GIT_TCR_OUT", None)
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(json.dumps(fields) + "\n")

    def details(error):
        if not isinstance(error, tuple) or error[0] is None:
            return {"error": None}
        text = "".join(traceback.format_exception_only(error[0], error[1]))
        fixtures = ("setUp", "tearDown", "asyncSetUp", "asyncTearDown", "_callCleanup")
        setup = any(frame.name in fixtures for frame in traceback.extract_tb(error[2]))
        return {"error": error[0].__name__, "message": text.strip()[:2000], "setup": setup}

    def wrap(method, status):
        original = getattr(result_class, method)

        def wrapper(self, test, *rest):
            # A part that is skipped is told of by itself, and belongs to its test.
            whole = getattr(test, "test_case", test)
            write(
                id=whole.id(),
                status=status,
                type=type(test).__name__,
                **details(rest[0] if rest else None)
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
        write(event="begin", id=test.id())
        return start_test(self, test)

    def sub_test(self, test, subtest, error):
        status = "passed"
        if error is not None:
            is_failure = issubclass(error[0], test.failureException)
            status = "failed" if is_failure else "error"
        write(id=test.id(), sub=str(subtest), status=status, **details(error))
        return add_sub_test(self, test, subtest, error)

    def stopped(self):
        write(event="finished", run=self.testsRun)
        return stop_run(self)

    result_class.startTest = started
    result_class.addSubTest = sub_test
    result_class.stopTestRun = stopped


class _WhenImported(importlib.abc.MetaPathFinder):
    """Waits until a program imports unittest: others are left alone and lose no time."""

    def __init__(self, path):
        self.path = path

    def find_spec(self, name, paths=None, target=None):
        if name != "unittest.result":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            _record(module.TestResult, self.path)

        spec.loader.exec_module = exec_module
        return spec


if os.environ.get("GIT_TCR_OUT"):
    _name = "unittest-%d.jsonl" % os.getpid()
    sys.meta_path.insert(0, _WhenImported(os.path.join(os.environ["GIT_TCR_OUT"], _name)))
_run_the_users_own()
