// A reporter of node:test: one JSON line for each test that ended, and the summaries.
import fs from 'node:fs';
import path from 'node:path';

const out = process.env.GIT_TCR_OUT;
const file = out && path.join(out, `node-${process.pid}.jsonl`);
const short = (text) => (text === undefined ? undefined : String(text).slice(0, 2000));

// What each file's process wrote to standard error: the only words on a file that can't be loaded.
const said = new Map();
const errorLine = /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b.*$/m;

// Tests that began and have not ended. A process that leaves in a test takes it along, and its file
// passes all the same.
const open = new Map();
const place = ({ file: from, nesting, name }) => [from, nesting, name].join('\0');
const isFile = ({ file: from = '', nesting, name }) => nesting === 0 && (from === name || from.endsWith(`/${name}`));
function count(data, change) {
  const now = open.get(place(data))?.now ?? 0;
  open.set(place(data), { now: now + change, name: data.name, file: data.file });
}

// The first line of the test's own file in a stack.
function lineOf(stack, from) {
  const own = from && String(stack ?? '').split('\n').find((frame) => frame.includes(`${from}:`));
  const found = own?.slice(own.indexOf(`${from}:`) + from.length).match(/^:(\d+)/);
  return found ? Number(found[1]) : undefined;
}

function line({ type, data = {} }) {
  if (type === 'test:dequeue' && !isFile(data)) {
    count(data, 1);
    return { type: 'tcr:begin', name: data.name, nesting: data.nesting, file: data.file };
  }
  if (type === 'test:stderr' && data.file) {
    said.set(data.file, ((said.get(data.file) ?? '') + data.message).slice(0, 20000));
    return undefined;
  }
  if (type === 'test:summary') {
    return { type, file: data.file, counts: data.counts, success: data.success };
  }
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  count(data, -1);
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
    at: type === 'test:fail' ? lineOf(cause?.stack, data.file) ?? data.line : undefined,
    causeName: cause?.name,
    causeCode: cause?.code,
    causeMessage: short(typeof cause === 'string' ? cause : cause?.message),
    all: error?.exitCode ? short(said.get(data.file)) : undefined,
    said: error?.exitCode ? short(said.get(data.file)?.match(errorLine)?.[0]) : undefined,
  };
}

// Told to leave when the last test ends, Node may not wait for what its reporters have still to say.
const isCutShort = [...process.execArgv, process.env.NODE_OPTIONS].some((option) => option?.includes('--test-force-exit'));

// It writes its own file, so that several processes do not share one, and yields nothing.
export default async function* tcr(source) {
  const write = (entry) => file && fs.appendFileSync(file, JSON.stringify(entry) + '\n');
  let began = isCutShort;
  for await (const event of source) {
    if (!began) write({ type: 'tcr:start' });
    began = true;
    const entry = line(event);
    if (entry) write(entry);
  }
  for (const { now, name, file: from } of open.values()) {
    if (now > 0) write({ type: 'tcr:unfinished', name, file: from });
  }
  write({ type: 'tcr:end' });
}
