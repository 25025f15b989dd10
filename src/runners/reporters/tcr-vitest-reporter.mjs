// A vitest reporter (1 and later): one JSON line for each test, and one for the end.
import fs from 'node:fs';
import path from 'node:path';
import shared from './tcr-node-aim.cjs';

const out = process.env.GIT_TCR_OUT;
// What the tests start themselves is not the run.
delete process.env.GIT_TCR_OUT;
const file = out && path.join(out, `vitest-${process.pid}.jsonl`);
const write = (line) => file && fs.appendFileSync(file, JSON.stringify(line) + '\n');
const short = (text) => String(text ?? '').slice(0, 2000);
// The first line of the test's own file in a stack.
function lineOf(error, from) {
  const own = error.stacks?.find((frame) => frame.file === from);
  if (own) return own.line;
  const at = String(error.stackStr ?? error.stack ?? '').split(`${from}:`)[1];
  return at ? Number.parseInt(at, 10) || undefined : undefined;
}
const errorsOf = (task) => {
  const from = task.file?.filepath ?? task.filepath;
  return (task.result?.errors ?? []).map((error) => ({
    name: error.name,
    message: short(error.message),
    at: from && lineOf(error, from),
    // Where text is that is no code.
    place: error.loc ? `${error.loc.file ?? error.id}:${error.loc.line}:${error.loc.column ?? 0}` : undefined,
  }));
};

// Tells what runs, for a run that is ended from outside.
function live(event, task) {
  const names = [];
  for (let at = task; at && at.type !== undefined && at !== at.file; at = at.suite) names.unshift(at.name);
  write({ event, file: task.file?.filepath, path: names });
}

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

// Only the files of wanted tests, and in them only these; other tests count as skipped.
function limit(vitest) {
  const { pattern, wants } = shared;
  vitest.config.passWithNoTests = true;
  const fileOf = (spec) => spec.moduleId ?? (Array.isArray(spec) ? spec[1] : spec);
  const only = (owner, method) => {
    const original = owner?.[method];
    if (typeof original !== 'function') return;
    owner[method] = async function (...args) {
      const found = await original.apply(this, args);
      return Array.isArray(found) ? found.filter((spec) => wants(fileOf(spec))) : found;
    };
  };
  only(vitest.specifications, 'getRelevantTestSpecifications');
  only(vitest.specifications, 'globTestSpecifications');
  only(vitest, 'globTestFiles');
  if (!pattern) return;
  const titles = new RegExp(pattern);
  if (typeof vitest.setGlobalTestNamePattern === 'function') vitest.setGlobalTestNamePattern(titles);
  else if (vitest.configOverride) vitest.configOverride.testNamePattern = titles;
}

export default class TcrReporter {
  onInit(vitest) {
    this.vitest = vitest;
    if (shared.aim && file) limit(vitest);
  }

  // vitest 3 and later
  onTestCaseReady(test) {
    live('begin', test.task);
  }

  onTestCaseResult(test) {
    live('ended', test.task);
  }

  // vitest 1 and 2
  onTaskUpdate(packs) {
    for (const [id, result] of packs) {
      const task = this.vitest?.state?.idMap?.get(id);
      if (task?.type === 'test' && !this.vitest.specifications) live(result?.state === 'run' ? 'begin' : 'ended', task);
    }
  }

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
