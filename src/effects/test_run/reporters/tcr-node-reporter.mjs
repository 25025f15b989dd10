// A reporter of node:test: one JSON line for each test that ended, and the summaries.
import fs from 'node:fs';
import path from 'node:path';

const out = process.env.GIT_TCR_OUT;
const file = out && path.join(out, `node-${process.pid}.jsonl`);
const short = (text) => (text === undefined ? undefined : String(text).slice(0, 2000));

// What each file's process wrote to standard error: the only words on a file that can't be loaded.
const said = new Map();
const errorLine = /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b.*$/m;

function line({ type, data = {} }) {
  if (type === 'test:stderr' && data.file) {
    said.set(data.file, ((said.get(data.file) ?? '') + data.message).slice(0, 20000));
    return undefined;
  }
  if (type === 'test:summary') {
    return { type, file: data.file, counts: data.counts, success: data.success };
  }
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  const error = data.details?.error;
  const cause = error?.cause;
  return {
    type,
    name: data.name,
    nesting: data.nesting,
    file: data.file,
    line: data.line,
    skip: data.skip,
    todo: data.todo,
    kind: data.details?.type,
    failureType: error?.failureType,
    exitCode: error?.exitCode,
    signal: error?.signal,
    causeName: cause?.name,
    causeCode: cause?.code,
    causeMessage: short(typeof cause === 'string' ? cause : cause?.message),
    said: error?.exitCode ? short(said.get(data.file)?.match(errorLine)?.[0]) : undefined,
  };
}

// It writes its own file, so that several processes do not share one, and yields nothing.
export default async function* tcr(source) {
  for await (const event of source) {
    const entry = line(event);
    if (entry && file) fs.appendFileSync(file, JSON.stringify(entry) + '\n');
  }
  if (file) fs.appendFileSync(file, '{"type":"tcr:end"}\n');
}
