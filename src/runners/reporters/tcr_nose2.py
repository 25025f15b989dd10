"""nose2: it has results of its own, with the methods of unittest's."""


def change(module):
    result = module.PluggableTestResult
    result.testsRun = 0
    result.stopTestRun = lambda self: None
    record(result, Lines("nose2").path)


def change_runner(module):
    run = module.PluggableTestRunner.run

    def ran(self, test):
        result = run(self, test)
        result.stopTestRun()
        return result

    module.PluggableTestRunner.run = ran


when_imported("nose2.result", change)
when_imported("nose2.runner", change_runner)
