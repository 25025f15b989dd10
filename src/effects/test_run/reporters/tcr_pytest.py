"""A pytest plugin (`-p tcr_pytest`): one JSON line for each test phase that says something."""

import json
import os
import re

import pytest

_OUT = os.environ.get("GIT_TCR_OUT")
_PATH = os.path.join(_OUT, "pytest-%d.jsonl" % os.getpid()) if _OUT else None
_silent = False


def pytest_configure(config):
    # Workers of xdist send their results to the process that started them.
    global _silent
    _silent = _PATH is None or hasattr(config, "workerinput")
    # What the tests start themselves, another pytest for instance, is not the run.
    os.environ.pop("GIT_TCR_OUT", None)
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


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.tcr_exc = None
    if call.excinfo is not None:
        kind = type(_raised(call.excinfo.value))
        trace = call.excinfo.traceback
        report.tcr_exc = {
            "type": "%s.%s" % (kind.__module__, kind.__qualname__),
            "mro": [base.__name__ for base in kind.__mro__],
            "path": str(trace[-1].path) if trace else None,
        }


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
