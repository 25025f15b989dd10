"""Twisted's trial: one line for each test."""
import sys


def file_of(test):
    module = sys.modules.get(type(test).__module__)
    return getattr(module, "__file__", None)


def change(module):
    told_by_others.append("trial")
    lines = Lines("trial")
    result = module.TestResult
    outcomes = {}

    def patch(name, status):
        original = getattr(result, name)

        def wrapped(self, test, *rest, **options):
            told(test, status, rest[0] if rest else None)
            return original(self, test, *rest, **options)

        setattr(result, name, wrapped)

    def told(test, status, why):
        id = test.id()
        if type(test).__name__ == "ErrorHolder" or not hasattr(test, "_testMethodName"):
            lines.load_error(getattr(test, "description", None) or id, words_of(why)[1])
            return
        # A test that failed and left errors behind is told of more than once.
        outcomes.setdefault(id, []).append((status, why))

    def words_of(why):
        error = why[1] if isinstance(why, tuple) and len(why) > 1 else getattr(why, "value", None)
        if error is None:
            return "", str(why or "")
        return type(error).__name__, "%s: %s" % (type(error).__name__, error)

    start, stop = result.startTest, result.stopTest

    def started(self, test):
        lines.begin(test.id())
        return start(self, test)

    def stopped(self, test):
        told = outcomes.pop(test.id(), [])
        order = ["failed", "error", "xpass", "skipped", "passed"]
        told.sort(key=lambda one: order.index(one[0]))
        status, why = told[0] if told else ("passed", None)
        fields = {"file": file_of(test)}
        if status in ("failed", "error"):
            kind, words = words_of(why)
            if status == "failed":
                kind = "AssertionError"
            frames = getattr(why, "frames", None) or []
            own = [int(frame[2]) for frame in frames if fields["file"] and frame[1] == fields["file"]]
            if own:
                fields["at"] = [fields["file"], own[-1]]
            lines.write(id=test.id(), status=status, kind=kind, message=words[:2000], **fields)
        else:
            lines.write(id=test.id(), status={"xpass": "inconclusive"}.get(status, status), **fields)
        return stop(self, test)

    for name, status in [
        ("addSuccess", "passed"),
        ("addFailure", "failed"),
        ("addError", "error"),
        ("addSkip", "skipped"),
        ("addExpectedFailure", "skipped"),
        ("addUnexpectedSuccess", "xpass"),
    ]:
        patch(name, status)
    result.startTest, result.stopTest = started, stopped
    done = module.Reporter.done

    def ended(self):
        lines.end()
        return done(self)

    module.Reporter.done = ended


when_imported("twisted.trial.reporter", change)
