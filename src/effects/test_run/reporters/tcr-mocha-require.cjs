// mocha --require <this>: listens to mocha's Runner, so that the user's reporter stays as it is.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');

const out = process.env.GIT_TCR_OUT;
// What the tests start themselves is not the run.
delete process.env.GIT_TCR_OUT;
const file = out && path.join(out, `mocha-${process.pid}.jsonl`);
const write = (line) => fs.appendFileSync(file, JSON.stringify(line) + '\n');
const about = (test) => ({
  file: test.file,
  path: test.titlePath ? test.titlePath() : [test.fullTitle()],
  type: test.type,
});

function listen(Mocha) {
  const prototype = Mocha.Runner.prototype;
  const run = prototype.run;
  prototype.run = function (...args) {
    write({ event: 'start' });
    this.on('pass', (test) => write({ status: 'passed', ...about(test) }));
    this.on('pending', (test) => write({ status: 'skipped', ...about(test) }));
    this.on('fail', (test, error) =>
      write({
        status: 'failed',
        ...about(test),
        error: error && error.name,
        code: error && error.code,
        message: error && String(error.message).slice(0, 2000),
      }),
    );
    this.once('end', () => write({ event: 'end', failures: this.failures }));
    return run.apply(this, args);
  };
}

if (out) {
  for (const from of [process.argv[1], path.join(process.cwd(), 'x.js')]) {
    try {
      listen(createRequire(fs.existsSync(from) ? fs.realpathSync(from) : from)('mocha'));
      break;
    } catch {}
  }
}
