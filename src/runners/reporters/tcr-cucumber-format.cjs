// cucumber-js --format <this>: one line for each scenario.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const out = process.env.GIT_TCR_OUT;
const file = out && path.join(out, `cucumber-${process.pid}.jsonl`);
// What the tests start themselves is not the run.
delete process.env.GIT_TCR_OUT;
const write = (line) => file && fs.appendFileSync(file, JSON.stringify(line) + '\n');

module.exports = class {
  constructor(options) {
    const data = options.eventDataCollector;
    const about = (id) => {
      const { pickle } = data.getTestCaseAttempt(id);
      return { id: `${pickle.uri} > ${pickle.name}`, file: pickle.uri };
    };
    write({ event: 'start' });
    options.eventBroadcaster.on('envelope', (envelope) => {
      if (envelope.parseError) {
        const source = (envelope.parseError.source || {}).uri || 'features';
        write({ event: 'load', what: source, message: envelope.parseError.message });
      } else if (envelope.testCaseStarted) {
        if (!envelope.testCaseStarted.attempt) write({ event: 'begin', ...about(envelope.testCaseStarted.id) });
      } else if (envelope.testCaseFinished && !envelope.testCaseFinished.willBeRetried) {
        const id = envelope.testCaseFinished.testCaseStartedId;
        const { worstTestStepResult: worst } = data.getTestCaseAttempt(id);
        const result = worst || {};
        const message = String(result.message || '').slice(0, 2000);
        const thrown = result.exception || {};
        const kind = thrown.type || (/^(\w*(?:Error|Exception))\b/.exec(message) || [])[1] || 'Error';
        const test = about(id);
        if (result.status === 'PASSED') write({ ...test, status: 'passed' });
        else if (result.status === 'SKIPPED' || result.status === 'PENDING') write({ ...test, status: 'skipped' });
        else if (result.status === 'FAILED') write({ ...test, status: 'failed', kind, message });
        else write({ ...test, status: 'error', kind: 'Error', message: `${String(result.status).toLowerCase()} step. ${message}` });
      } else if (envelope.testRunFinished) {
        write({ event: 'end' });
      }
    });
  }
  async finished() {}
};
