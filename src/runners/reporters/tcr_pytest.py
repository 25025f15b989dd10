"""A pytest plugin (`-p tcr_pytest`): one JSON line for each test phase that says something."""

import json
import os
import re

import pytest

_OUT = os.environ.get("GIT_TCR_OUT")
_PATH = os.path.join(_OUT, "pytest-%d.jsonl" % os.getpid()) if _OUT else None
_AIM = os.environ.get("GIT_TCR_AIM")
_silent = False


class _Aim:
    """Leaves out all tests but the wanted ones, and does not import the files of others."""

    def __init__(self, config):
        with open(_AIM, encoding="utf-8") as file:
            aim = json.load(file)
        self.root = aim["root"]
        self.tests = aim["tests"]
        self.files = aim["files"] and set(aim["files"])
        self.rootdir = os.path.realpath(str(getattr(config, "rootpath", None) or config.rootdir))
        # A file that is named and has nothing to collect is an error.
        here = str(config.invocation_params.dir)
        config.args = [one for one in config.args if self._leads(os.path.join(here, one.split("::")[0]))]

    def _leads(self, path):
        path = os.path.realpath(str(path))
        if self.files is None or path in self.files:
            return True
        folder = path.rstrip(os.sep) + os.sep
        return any(file.startswith(folder) for file in self.files)

    def ignores(self, path):
        is_package = os.path.basename(str(path)) == "__init__.py"
        return None if is_package or self._leads(path) else True

    @pytest.hookimpl(hookwrapper=True)
    def pytest_collect_file(self, parent):
        # Files that are named on the command line are never ignored.
        outcome = yield
        found = outcome.get_result()
        if isinstance(found, list):
            keep = [one for one in found if self.ignores(getattr(one, "path", None) or one.fspath) is None]
            outcome.force_result(keep)

    def _is(self, wanted, item, exactly):
        path = os.path.realpath(str(getattr(item, "path", None) or item.fspath))
        if exactly:
            parts = item.nodeid.split("::")
            place = os.path.relpath(os.path.join(self.rootdir, parts[0]), self.root)
            return wanted["id"] and "::".join([place.replace(os.sep, "/")] + parts[1:]) == wanted["id"]
        if wanted["file"] is not None and path != wanted["file"]:
            return False
        name = wanted["name"] or (wanted["id"].split("::")[-1] if "::" in wanted["id"] else "")
        if not name:
            return wanted["file"] is not None
        own = getattr(item, "originalname", None) or item.name.split("[")[0]
        outer = [node.name for node in item.listchain()]
        return name in (own, item.name) and all(one in outer for one in wanted["path"])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        keep = set()
        for wanted in self.tests:
            chosen = [item for item in items if self._is(wanted, item, True)]
            chosen = chosen or [item for item in items if self._is(wanted, item, False)]
            keep.update(id(item) for item in chosen)
        out = [item for item in items if id(item) not in keep]
        items[:] = [item for item in items if id(item) in keep]
        if out:
            config.hook.pytest_deselected(items=out)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session, exitstatus):
        # Another runner may follow that knows the wanted tests.
        if int(exitstatus) == 5:
            session.exitstatus = 0


def _aim(config):
    """Not for what the tests start themselves; workers of xdist do as their controller does."""
    if not _AIM or os.environ.get("GIT_TCR_AIM") != _AIM:
        return
    starts_workers = getattr(config.option, "tx", None) or getattr(config.option, "numprocesses", None)
    if hasattr(config, "workerinput") or not starts_workers:
        os.environ.pop("GIT_TCR_AIM", None)
    aim = _Aim(config)
    config.pluginmanager.register(aim, "tcr_aim")
    # The argument was renamed in pytest 7.
    version = int(pytest.__version__.split(".")[0])

    class Ignore:
        if version >= 7:

            def pytest_ignore_collect(self, collection_path):
                return aim.ignores(collection_path)

        else:

            def pytest_ignore_collect(self, path):
                return aim.ignores(path)

    config.pluginmanager.register(Ignore(), "tcr_aim_ignore")


def pytest_configure(config):
    # Workers of xdist send their results to the process that started them.
    global _silent
    _silent = _PATH is None or hasattr(config, "workerinput")
    # What the tests start themselves, another pytest for instance, is not the run.
    os.environ.pop("GIT_TCR_OUT", None)
    _aim(config)
    # Ids are as seen from here.
    _write(event="root", path=str(getattr(config, "rootpath", None) or config.rootdir))


def _write(**fields):
    if not _silent:
        with open(_PATH, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(json.dumps(fields) + "\n")


def _message(report):
    crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
    text = getattr(crash, "message", None) or str(getattr(report, "longrepr", None) or "")
    if crash is not None:
        return text[:2000]
    # A doctest is shown with the numbered lines before the one that failed.
    return re.sub(r"(?m)^\d{3,} .*\n", "", text)[-2000:]


def _raised(exc):
    """What was raised; a doctest has it in a wrapper, or several of them in one."""
    failures = getattr(exc, "failures", None)
    if type(exc).__name__ == "MultipleDoctestFailures" and failures:
        exc = failures[0]
    if type(exc).__name__ == "UnexpectedException":
        exc = exc.exc_info[1]
    return exc


def _place(item, excinfo):
    """The line of the test's own file that was left last, and what it is a line of."""
    failures = getattr(excinfo.value, "failures", None) or [excinfo.value]
    test, example = (getattr(failures[0], name, None) for name in ("test", "example"))
    if test is not None and example is not None and hasattr(example, "lineno"):
        return [test.filename, (test.lineno or 0) + example.lineno + 1]
    own = os.path.realpath(str(getattr(item, "path", None) or item.fspath))
    for entry in reversed(list(excinfo.traceback)):
        if os.path.realpath(str(entry.path)) == own:
            return [own, entry.lineno + 1]
    return None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.tcr_exc = None
    report.tcr_at = None
    if call.excinfo is not None:
        kind = type(_raised(call.excinfo.value))
        trace = call.excinfo.traceback
        report.tcr_at = _place(item, call.excinfo)
        report.tcr_exc = {
            "type": "%s.%s" % (kind.__module__, kind.__qualname__),
            "mro": [base.__name__ for base in kind.__mro__],
            "path": str(trace[-1].path) if trace else None,
        }


def pytest_collection_finish(session):
    if session.items and not session.config.option.collectonly:
        _write(event="plan", ids=[item.nodeid for item in session.items])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node, ids):
    _write(event="plan", ids=list(ids))


def pytest_runtest_logstart(nodeid, location):
    _write(event="begin", nodeid=nodeid)


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        _write(
            nodeid=report.nodeid,
            when=report.when,
            outcome=report.outcome,
            # Reports of subtests, pytest's own and those of pytest-subtests, have a context.
            subtest=hasattr(report, "context"),
            wasxfail=getattr(report, "wasxfail", None),
            exc=getattr(report, "tcr_exc", None),
            at=getattr(report, "tcr_at", None) if report.failed else None,
            message=_message(report) if report.failed else None,
        )


def pytest_collectreport(report):
    if report.failed:
        _write(collect=report.nodeid, outcome="error", longrepr=str(report.longrepr)[-2000:])
    elif report.skipped:
        _write(collect=report.nodeid, outcome="skipped")


def pytest_sessionfinish(session, exitstatus):
    _write(
        event="finish",
        exitstatus=int(exitstatus),
        collected=session.testscollected,
        failed=session.testsfailed,
    )
