// A vitest reporter (1 and later): one JSON line for each test, and one for the end.
import fs from 'node:fs';
import path from 'node:path';

const out = process.env.GIT_TCR_OUT;
// What the tests start themselves is not the run.
delete process.env.GIT_TCR_OUT;
const file = out && path.join(out, `vitest-${process.pid}.jsonl`);
const write = (line) => file && fs.appendFileSync(file, JSON.stringify(line) + '\n');
const short = (text) => String(text ?? '').slice(0, 2000);
const errorsOf = (task) =>
  (task.result?.errors ?? []).map((error) => ({ name: error.name, message: short(error.message) }));

function walk(parent, file, names) {
  for (const task of parent.tasks ?? []) {
    const path = [...names, task.name];
    const errors = errorsOf(task);
    if (task.type === 'suite') {
      if (errors.length) write({ suite: path, file, errors });
      walk(task, file, path);
    } else {
      const state = task.result?.state ?? task.mode;
      const hooks = state === 'fail' ? task.result.hooks : undefined;
      write({ file, path, state, mode: task.mode, errors, hooks, retry: task.result?.retryCount });
    }
  }
}

export default class TcrReporter {
  // vitest 3 and later
  onTestRunEnd(modules, unhandled, reason) {
    this.done = true;
    this.report(modules.map((module) => module.task), unhandled, reason);
  }

  // vitest 1 and 2
  onFinished(files, unhandled) {
    if (!this.done) this.report(files ?? [], unhandled);
  }

  report(files, unhandled, reason) {
    for (const file of files) {
      const load = errorsOf(file);
      if (load.length) write({ file: file.filepath, load });
      walk(file, file.filepath, []);
    }
    const errors = (unhandled ?? []).map(({ name, message, type }) => ({ name, message: short(message), type }));
    write({ event: 'end', reason, unhandled: errors });
  }
}
