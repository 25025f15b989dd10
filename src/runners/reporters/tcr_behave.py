"""behave: one line for each scenario."""


def change(module):
    lines = Lines("behave")
    run, run_features = module.Scenario.run, None

    def told(scenario):
        return "%s > %s" % (scenario.filename, scenario.name)

    def scenario_run(self, runner):
        name = told(self)
        lines.begin(name)
        failed = run(self, runner)
        status = getattr(self.status, "name", str(self.status))
        step = next((one for one in self.all_steps if getattr(one.status, "name", one.status) not in OK), None)
        error = getattr(step, "exception", None) or getattr(self, "exception", None)
        fields = {"file": self.filename}
        if status == "passed":
            lines.test(name, "passed", **fields)
        elif status in ("skipped", "untested") and not failed:
            lines.test(name, "skipped", **fields)
        elif getattr(self, "hook_failed", False) and not isinstance(error, AssertionError):
            lines.test(name, "inconclusive", error, **fields)
        elif error is not None:
            lines.test(name, "failed", error, **fields)
        else:
            what = getattr(step, "status", None)
            words = "%s: %s" % (getattr(what, "name", what), getattr(step, "name", ""))
            lines.test(name, "error", kind="Error", message=words, at=[self.filename, getattr(step, "line", 0)], **fields)
        return failed

    module.Scenario.run = scenario_run
    STATE["lines"] = lines


OK = ("passed", "skipped", "untested")
STATE = {}


def change_runner(module):
    for name in ("ModelRunner", "Runner"):
        cls = getattr(module, name, None)
        if cls is None or "run_model" not in vars(cls):
            continue
        run_model = cls.run_model

        def wrapped(self, *args, _run=run_model, **options):
            failed = _run(self, *args, **options)
            lines = STATE.get("lines")
            if lines is not None:
                lines.end()
            return failed

        cls.run_model = wrapped
    load = getattr(module.Runner, "load_step_definitions", None)
    parse = getattr(module, "parse_features", None)

    def guarded(function):
        def wrapped(*args, **options):
            try:
                return function(*args, **options)
            except BaseException as error:
                # What the steps could not load stands in the last line.
                lines = STATE.get("lines")
                if lines is not None:
                    words = "%s: %s" % (type(error).__name__, error)
                    lines.load_error(getattr(error, "filename", None) or "features", words)
                raise

        return wrapped

    if load is not None:
        module.Runner.load_step_definitions = guarded(load)
    if parse is not None:
        module.parse_features = guarded(parse)


when_imported("behave.model", change)
when_imported("behave.runner", change_runner)
