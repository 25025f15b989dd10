// A jest reporter: one JSON line for each test as it ends, so that an early exit loses nothing.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const out = process.env.GIT_TCR_OUT;
// What the tests start themselves is not the run.
delete process.env.GIT_TCR_OUT;
const file = out && path.join(out, `jest-${process.pid}.jsonl`);
const write = (line) => file && fs.appendFileSync(file, JSON.stringify(line) + '\n');
const short = (text) => String(text ?? '').slice(0, 2000);
const titles = (test) => [...test.ancestorTitles, test.title];

module.exports = class TcrReporter {
  onRunStart(results) {
    write({ event: 'start', suites: results.numTotalTestSuites });
  }

  onTestFileStart(test) {
    write({ event: 'file', file: test.path });
  }

  onTestCaseStart(test, info) {
    write({ event: 'begin', file: test.path, path: titles(info) });
  }

  onTestCaseResult(test, result) {
    write({ file: test.path, path: titles(result), status: result.status, live: true });
  }

  onTestFileResult(test, result) {
    const error = result.testExecError;
    if (error) write({ file: test.path, load: short(error.message || error.stack || error) });
    for (const one of result.testResults) {
      write({
        file: test.path,
        path: titles(one),
        status: one.status,
        asserts: one.numPassingAsserts,
        matcher: (one.failureDetails ?? []).map((detail) => Boolean(detail && detail.matcherResult)),
        messages: one.failureMessages.map(short),
      });
    }
  }

  onRunComplete(_contexts, results) {
    write({
      event: 'end',
      success: results.success,
      failed: results.numFailedTests,
      runtimeErrorSuites: results.numRuntimeErrorTestSuites,
    });
  }
};
