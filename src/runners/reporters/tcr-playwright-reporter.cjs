// PW_TEST_REPORTER=<this>: a reporter beside the user's own.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const out = process.env.GIT_TCR_OUT;
const file = out && path.join(out, `playwright-${process.pid}.jsonl`);
const write = (line) => file && fs.appendFileSync(file, JSON.stringify(line) + '\n');
const plain = (text) => String(text || '').replace(/\u001b\[[0-9;]*m/g, '');

module.exports = class {
  printsToStdio() {
    return false;
  }
  onBegin(config, suite) {
    this.root = config.rootDir;
    // What the tests start themselves is not the run.
    delete process.env.GIT_TCR_OUT;
    write({ event: 'start' });
    this.all = suite.allTests();
  }
  about(test) {
    const from = path.relative(process.cwd(), test.location.file);
    const [, project, , ...titles] = test.titlePath();
    const names = project ? [`[${project}]`, ...titles] : titles;
    return { id: [from, ...names].join(' > '), file: from };
  }
  onTestBegin(test, result) {
    if (result.retry === 0) write({ event: 'begin', ...this.about(test) });
  }
  onTestEnd(test, result) {
    if (result.retry < test.retries && !test.ok() && result.status !== 'skipped') return;
    const about = this.about(test);
    const error = result.error || {};
    const message = plain(error.message).slice(0, 2000);
    if (result.status === 'skipped') return write({ ...about, status: 'skipped' });
    if (result.status === 'interrupted') return;
    // One that is marked as failing, and fails.
    if (result.status === test.expectedStatus) return write({ ...about, status: result.status === 'passed' ? 'passed' : 'skipped' });
    const isMatcher = Boolean(error.matcherResult) || /\bexpect\(/.test(message);
    const found = /^(?:\w+: )?(\w*(?:Error|Exception))\b/.exec(message);
    const kind = isMatcher ? 'AssertionError' : found ? found[1] : 'Error';
    const ownLine = error.location && error.location.file === test.location.file ? error.location.line : undefined;
    const isVoid = result.status !== 'failed' || /worker process exited unexpectedly/i.test(message);
    write({
      ...about,
      status: isVoid ? 'inconclusive' : 'failed',
      kind,
      message,
      at: ownLine ? [about.file, ownLine] : undefined,
    });
  }
  onError(error) {
    write({ event: 'load', what: 'playwright', message: plain(error.message || error.value).slice(0, 2000) });
  }
  onEnd() {
    write({ event: 'end' });
  }
};
