// jasmine --helper=<this>: adds a reporter, so that the user's own stay as they are.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const out = process.env.GIT_TCR_OUT;
// What the tests start themselves is not the run.
delete process.env.GIT_TCR_OUT;
if (out && globalThis.jasmine) {
  const file = path.join(out, `jasmine-${process.pid}.jsonl`);
  const write = (line) => fs.appendFileSync(file, JSON.stringify(line) + '\n');
  const named = (spec) => {
    const from = spec.filename && path.isAbsolute(spec.filename) ? path.relative(process.cwd(), spec.filename) : spec.filename;
    return { id: [from, spec.fullName].filter(Boolean).join(' > '), file: from };
  };
  const failed = (of) => (of.failedExpectations || [])[0] || {};
  // An expectation that a matcher checked has its name.
  const kindOf = (one) => {
    const found = /^(?:Uncaught )?(\w*(?:Error|Exception))\b/.exec(one.message || '');
    const isMatcher = one.matcherName && one.matcherName !== '';
    return isMatcher ? 'AssertionError' : found ? found[1] : /^Failed: /.test(one.message || '') ? 'AssertionError' : 'Error';
  };
  const lineOf = (one, from) => {
    const at = from && String(one.stack || '').split(`${path.basename(from)}:`)[1];
    return at ? Number.parseInt(at, 10) || undefined : undefined;
  };
  const globals = (of, where) => {
    for (const one of of.failedExpectations || []) write({ event: 'load', what: where, message: one.message });
  };
  jasmine.getEnv().addReporter({
    jasmineStarted: () => write({ event: 'start' }),
    specStarted: (spec) => write({ event: 'begin', ...named(spec) }),
    specDone: (spec) => {
      const about = named(spec);
      if (spec.status === 'passed') return write({ ...about, status: 'passed' });
      if (spec.status !== 'failed') return write({ ...about, status: 'skipped' });
      const one = failed(spec);
      const line = lineOf(one, about.file);
      const message = String(one.message || '').slice(0, 2000);
      const isTimeout = /^Error: Timeout - Async function did not complete/.test(message);
      write({ ...about, status: isTimeout ? 'inconclusive' : 'failed', kind: kindOf(one), message, at: line ? [about.file, line] : undefined });
    },
    suiteDone: (suite) => globals(suite, suite.fullName || suite.description),
    jasmineDone: (done) => {
      globals(done, 'jasmine');
      if (done.overallStatus === 'incomplete' && /only|focused/i.test(done.incompleteReason || '')) {
        // Some tests are focused: the others were skipped, and are told of so.
      }
      write({ event: 'end' });
    },
  });
}
