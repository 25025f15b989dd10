// Watches uvu, which has no reporters: it says on its state which test it runs, and in its results which failed.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const out = process.env.GIT_TCR_OUT;
// What the tests start themselves is not the run.
delete process.env.GIT_TCR_OUT;
const file = path.join(out, `uvu-${process.pid}.jsonl`);
const write = (line) => fs.appendFileSync(file, JSON.stringify(line) + '\n');
const plain = (text) => String(text).replace(/\u001b\[[0-9;]*m/g, '');

/** The tests of the group that runs, in their order. */
let ran = [];
let about = {};
const names = new WeakMap();
Object.defineProperty(Object.prototype, '__test__', {
  configurable: true,
  get() {
    return names.get(this);
  },
  set(name) {
    names.set(this, name);
    if (!name) return;
    const id = [about.file || about.name, this.__suite__, name].filter(Boolean).join(' > ');
    ran.push({ id, name });
    write({ event: 'begin', id });
  },
});

/** What is said of each test that failed, by its name. */
function failures(text) {
  const blocks = plain(text).split(/^ {2} FAIL /m).slice(1);
  return new Map(
    blocks.map((block) => {
      const [title, ...rest] = block.split('\n');
      const name = title.slice(title.indexOf('"') + 1, title.lastIndexOf('"'));
      return [name, rest.join('\n').trimEnd()];
    })
  );
}

function told(text) {
  const failed = failures(text === true ? '' : text);
  for (const { id, name } of ran) {
    const words = failed.get(name);
    if (words === undefined) {
      write({ id, file: about.file, status: 'passed' });
      continue;
    }
    const [said, stack] = [words.split(/\n\s+at /)[0].trim(), words];
    const isAssertion = /\/uvu\/assert\/|\bnode:assert\b|AssertionError|ERR_ASSERTION/.test(stack) || /\((?:is|equal|type|instance|match|snapshot|fixture|throws|ok|unreachable|not)[.\w]*\)$/m.test(said);
    const found = /^(\w*(?:Error|Exception)): /.exec(said);
    const line = about.file && new RegExp(`${path.basename(about.file).replace(/\W/g, '\\$&')}:(\\d+)`).exec(stack);
    write({
      id,
      file: about.file,
      status: 'failed',
      kind: isAssertion ? 'AssertionError' : found ? found[1] : 'Error',
      message: said.slice(0, 2000),
      at: line ? [about.file, Number(line[1])] : undefined,
    });
  }
  ran = [];
}

/** Where a file is that uvu names as seen from the folder it was given. */
function found(name) {
  const folders = ['', ...process.argv.slice(2)];
  const at = folders.map((folder) => path.join(folder, name)).find((one) => fs.existsSync(one));
  return { name, file: at };
}

const script = path.relative(process.cwd(), process.argv[1]);
const groups = [];
const watched = (group) => {
  about = typeof group[0] === 'string' ? found(group[0]) : { name: script, file: script };
  const own = about;
  const push = group.push;
  group.push = (...runs) =>
    push.apply(
      group,
      runs.map((run) => async () => {
        about = own;
        const result = await run();
        told(result[0]);
        return result;
      })
    );
  return group;
};
const add = groups.push;
groups.push = (...all) => add.apply(groups, all.map(watched));
globalThis.UVU_QUEUE = groups;

write({ event: 'start' });
process.on('uncaughtExceptionMonitor', (error) => {
  if (!ran.length) write({ event: 'load', what: about.file || script, message: String((error && error.stack) || error).slice(0, 2000) });
});
const print = process.stdout.write;
process.stdout.write = function (text, ...rest) {
  if (/^\n {2}Duration: /.test(plain(text))) write({ event: 'end' });
  return print.call(this, text, ...rest);
};
