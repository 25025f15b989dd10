// mocha --require <this>: listens to mocha's Runner, so that the user's reporter stays as it is.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');

// A worker of `--parallel` sends its results to the process that started it, but not what it forgets.
const isWorker = /[\\/]mocha[\\/]lib[\\/]nodejs[\\/]worker\.c?js$/.test(process.argv[1] || '');
const out = isWorker ? process.env.GIT_TCR_WORKER_OUT : process.env.GIT_TCR_OUT;
// What the tests start themselves is not the run.
delete process.env.GIT_TCR_OUT;
delete process.env.GIT_TCR_WORKER_OUT;
const file = out && path.join(out, `mocha-${process.pid}.jsonl`);
const write = (line) => fs.appendFileSync(file, JSON.stringify(line) + '\n');
const about = (test) => ({
  file: test.file,
  path: test.titlePath ? test.titlePath() : [test.fullTitle()],
  type: test.type,
});

// What comes from a worker of `--parallel` has lost its class, but not its stack.
const nameOf = (error) => error.name || (/^\w+/.exec(error.stack || '') || [])[0];

// The first line of the test's own file in a stack.
function lineOf(error, from) {
  // mocha shortens the paths below the folder it was started in.
  const stack = String((error && error.stack) || '');
  const names = from ? [from, path.relative(process.cwd(), from)] : [];
  const at = names.map((name) => stack.split(`${name}:`)[1]).find(Boolean);
  return at ? Number.parseInt(at, 10) || undefined : undefined;
}

// mocha hands a rejection that nobody waits for to whoever else listens; if nobody does, it is lost.
function watchRejections(runner) {
  const unhandled = runner.unhandled;
  if (typeof unhandled !== 'function') return;
  runner.unhandled = (reason, promise) => {
    if (process.listeners('unhandledRejection').every((listener) => listener === runner.unhandled)) {
      write({ event: 'unhandled', error: nameOf(Object(reason)), message: String((reason && reason.message) || reason).slice(0, 2000) });
    }
    return unhandled(reason, promise);
  };
}

function listen(Runner) {
  const prototype = Runner.prototype;
  const run = prototype.run;
  prototype.run = function (...args) {
    if (isWorker) {
      watchRejections(this);
      return run.apply(this, args);
    }
    process.env.GIT_TCR_WORKER_OUT = out;
    write({ event: 'start', dry_run: Boolean((this._opts || {}).dryRun) });
    this.on('test', (test) => write({ event: 'begin', ...about(test) }));
    this.on('pass', (test) => write({ status: 'passed', ...about(test) }));
    this.on('pending', (test) => write({ status: 'skipped', ...about(test) }));
    this.on('fail', (test, error) =>
      write({
        status: 'failed',
        ...about(test),
        error: error && nameOf(error),
        code: error && error.code,
        at: lineOf(error, test.file),
        message: error && String(error.message).slice(0, 2000),
      }),
    );
    watchRejections(this);
    this.once('end', () => write({ event: 'end', failures: this.failures }));
    return run.apply(this, args);
  };
}

// Only the files of wanted tests are loaded, and in them only these run.
function limit(Mocha) {
  const { aim, pattern, wants } = require('./tcr-node-aim.cjs');
  if (!aim || isWorker) return;
  for (const method of ['loadFiles', 'loadFilesAsync', 'run']) {
    const original = Mocha.prototype[method];
    if (typeof original !== 'function') continue;
    Mocha.prototype[method] = function (...args) {
      this.files = (this.files || []).filter(wants);
      if (pattern) this.grep(new RegExp(pattern));
      return original.apply(this, args);
    };
  }
}

if (out) {
  for (const from of [process.argv[1], path.join(process.cwd(), 'x.js')]) {
    try {
      const require = createRequire(fs.existsSync(from) ? fs.realpathSync(from) : from);
      const Mocha = require('mocha');
      listen(Mocha.Runner);
      limit(Mocha);
      // The runner of `--parallel` goes its own way.
      for (const extension of ['js', 'cjs']) {
        try {
          listen(require(`mocha/lib/nodejs/parallel-buffered-runner.${extension}`));
          break;
        } catch {}
      }
      break;
    } catch {}
  }
}
