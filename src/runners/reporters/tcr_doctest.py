"""`python -m doctest`: one line for each docstring with examples."""
import importlib.util
import os
import sys

LINES = []


def change(module):
    runner = module.DocTestRunner
    run = runner.run
    lines = Lines("doctest")
    LINES.append(lines)

    def ran(self, test, *args, **options):
        if not test.examples:
            return run(self, test, *args, **options)
        name = test.name
        lines.begin(name)
        said = []
        failure, unexpected = self.report_failure, self.report_unexpected_exception

        def on_failure(out, test, example, got):
            said.append(("failed", "AssertionError", example, "expected: %s\nactual: %s" % (example.want.strip(), got.strip())))
            return failure(out, test, example, got)

        def on_error(out, test, example, info):
            said.append(("error", info[0].__name__, example, "%s: %s" % (info[0].__name__, info[1])))
            return unexpected(out, test, example, info)

        self.report_failure, self.report_unexpected_exception = on_failure, on_error
        try:
            return run(self, test, *args, **options)
        finally:
            del self.report_failure, self.report_unexpected_exception
            fields = {"file": test.filename}
            if said:
                status, kind, example, words = said[0]
                if test.filename is not None and test.lineno is not None:
                    fields["at"] = [test.filename, test.lineno + example.lineno + 1]
                source = example.source.strip()
                lines.test(name, status, kind=kind, message="%s\n%s" % (source, words), **fields)
            else:
                lines.test(name, "passed", **fields)

    runner.run = ran


class AsMain:
    """`-m doctest` runs the module's text under another name: ours is run in its place."""

    def find_spec(self, name, paths=None, target=None):
        if name != "doctest":
            return None
        sys.meta_path.remove(self)
        return importlib.util.spec_from_file_location(name, __file__)


words = getattr(sys, "orig_argv", [])
if __name__ == "__main__":
    import doctest

    sys.argv[0] = doctest.__file__
    change_it = sys.modules["sitecustomize_doctest"]
    change_it(doctest)
    status = doctest._test()
    change_it.__globals__["LINES"][0].end()
    sys.exit(status)
elif any(one == "-m" and other == "doctest" for one, other in zip(words, words[1:])):
    sys.modules["sitecustomize_doctest"] = change
    sys.meta_path.insert(0, AsMain())
