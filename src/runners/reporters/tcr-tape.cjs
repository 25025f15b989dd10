// Watches for tape, in whatever process loads it: one line for each test, wherever the command sends what it prints.
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const load = Module._load;
Module._load = function (request, ...rest) {
  const loaded = load.call(this, request, ...rest);
  if (/(^|\/)results(\.js)?$/.test(request) && loaded && loaded.prototype && loaded.prototype.push && loaded.prototype._watch) {
    Module._load = load;
    try {
      watch(loaded.prototype);
    } catch {}
  }
  return loaded;
};

function watch(results) {
  const out = process.env.GIT_TCR_OUT;
  // What the tests start themselves is not the run.
  delete process.env.GIT_TCR_OUT;
  if (!out) return;
  const file = path.join(out, `of-tape-${process.pid}.jsonl`);
  const write = (line) => fs.appendFileSync(file, JSON.stringify(line) + '\n');
  const show = (value) => require('node:util').inspect(value, { depth: 5, breakLength: Infinity });
  const from = (stack) => {
    const places = String(stack).match(/(?:file:\/\/)?\/[^():\n]+:\d+/g) || [];
    const own = places.map((place) => place.replace('file://', '')).find((place) => !place.includes('/node_modules/') && !place.startsWith(`${__dirname}/`));
    if (!own) return [];
    const at = own.lastIndexOf(':');
    return [path.relative(process.cwd(), own.slice(0, at)), Number(own.slice(at + 1))];
  };
  const open = [];
  let hasBegun = false;
  let isLeaving = false;

  const told = (t, about) => {
    let failed;
    open.push(about);
    t.once('prerun', () => write({ event: 'begin', ...about }));
    t.on('result', (result) => {
      // What is said of a test when the process leaves is not its end.
      if (isLeaving || typeof result === 'string' || result.ok || result.todo || failed) return;
      const error = result.operator === 'error' && result.error instanceof Error ? result.error : undefined;
      const hasValues = 'expected' in result || 'actual' in result;
      const values = hasValues ? `: expected ${show(result.expected)}, got ${show(result.actual)}` : '';
      const line = String(result.file) === path.resolve(about.file || '') ? Number(result.line) : undefined;
      failed = {
        status: 'failed',
        kind: error ? error.name : 'AssertionError',
        message: (error ? error.message : `${result.name} (${result.operator})${values}`).slice(0, 2000),
        at: line ? [about.file, line] : undefined,
      };
    });
    t.on('test', (inner) => told(inner, { id: `${about.id} > ${inner.name}`, file: about.file }));
    t.once('end', () => {
      if (isLeaving) return;
      open.splice(open.indexOf(about), 1);
      write({ ...about, ...(failed || { status: t._skip || t._todo ? 'skipped' : 'passed' }) });
    });
  };

  write({ event: 'start' });
  process.on('uncaughtExceptionMonitor', (error) => {
    const message = `${error && error.name}: ${error && error.message}`.slice(0, 2000);
    const [at, line] = from(error && error.stack);
    const running = open[0];
    if (running && hasBegun) write({ ...running, status: 'error', kind: error && error.name, message, at: at === running.file ? [at, line] : undefined });
    else write({ event: 'load', what: at || '', message });
  });
  process.on('exit', () => {
    isLeaving = true;
    if (!open.length) write({ event: 'end' });
  });

  const push = results.push;
  results.push = function (t) {
    t.once('prerun', () => (hasBegun = true));
    const [of] = from(new Error().stack);
    told(t, { id: [of, t.name].filter(Boolean).join(' > '), file: of });
    return push.call(this, t);
  };
}
