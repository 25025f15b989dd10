"""A listener of Robot Framework: one line for each test."""
import json
import os

ROBOT_LISTENER_API_VERSION = 3
OUT = os.environ.pop("GIT_TCR_OUT", None)
PATH = os.path.join(OUT, "robot-%d.jsonl" % os.getpid()) if OUT else os.devnull
ERRORS = []


def write(**fields):
    with open(PATH, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(json.dumps(fields) + "\n")


def name_of(test):
    return getattr(test, "full_name", None) or test.longname


def start_suite(data, result):
    if data.parent is None:
        write(event="start")


def start_test(data, result):
    write(event="begin", id=name_of(result))


def end_test(data, result):
    words = result.message or ""
    status = {"PASS": "passed", "SKIP": "skipped", "NOT RUN": "skipped"}.get(result.status, "failed")
    kind = ""
    if status == "failed":
        first = words.split("\n", 1)[0]
        if first.startswith("No keyword with name"):
            kind = "Error"
        elif first.startswith(("Setup failed", "Teardown failed", "Test timeout", "Parent suite setup failed")):
            status = "inconclusive"
        elif first.split(":", 1)[0].endswith(("Error", "Exception")) and " " not in first.split(":", 1)[0]:
            kind = first.split(":", 1)[0]
    source = str(data.source) if data.source else None
    fields = {"at": [source, data.lineno]} if source and data.lineno and status == "failed" else {}
    write(id=name_of(result), file=source, status=status, kind=kind, message=words[:2000], **fields)


def message(said):
    # A library or resource that can't be loaded: every keyword of it is missing.
    if said.level in ("ERROR", "FAIL") and ("mporting " in said.message and "failed" in said.message):
        write(event="load", what="import", message=said.message[:2000])


def close():
    write(event="end")
