// Which tests of a run are wanted: what the hook and the reporters for Node share.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const real = (file) => {
  try {
    return fs.realpathSync(file);
  } catch {
    return path.resolve(file);
  }
};

let aim = null;
try {
  aim = JSON.parse(fs.readFileSync(path.join(__dirname, '..', 'aim.json'), 'utf8'));
} catch {}

const files = aim && aim.files && new Set(aim.files);
// Without `^` and `$` of our own a pattern would match parts of titles.
const pattern = aim && aim.pattern;
const wants = (file) => !files || files.has(real(file));

// The titles of a test, from its outermost suite on.
function titles(test) {
  const [, ...known] = test.id.split(' > ');
  return known.length ? known : [...test.path, test.name].filter(Boolean);
}

const escaped = (text) => text.replace(/[\\^$.|?*+()[\]{}/]/g, '\\$&');
const holes = (title) =>
  escaped(title).replace(/\\\$\\\{.*?\\\}|%[sdifjoOcp#]|\\\$#|\\\$[A-Za-z_][\w.\\]*/g, '.*');

// Which titles are those of suites, in the words of the source; a title may have what stands between titles.
function suitesIn(source, titles) {
  const isSuite = (title) =>
    new RegExp(`\\b(?:describe|suite)(?:\\.\\w+)?\\s*\\(\\s*(['"\`])${escaped(title)}\\1`).test(source);
  const known = titles.map(() => false);
  for (let start = 0; start < titles.length; start += 1) {
    for (let end = start + 1; end < titles.length; end += 1) {
      if (isSuite(titles.slice(start, end).join(' > '))) known.fill(true, start, end);
    }
  }
  return known;
}

// Node takes a pattern for the name of a test alone (20) or for all its titles (22). Tests inside of a test
// run if the outer one does; a suite that matches would run all that is in it.
function nodePatterns() {
  const ownNames = Number(process.versions.node.split('.')[0]) < 22;
  const found = [];
  for (const test of aim.tests) {
    const all = titles(test);
    if (!all.length) return [];
    let source = '';
    try {
      source = fs.readFileSync(test.file, 'utf8');
    } catch {}
    const start = test.id.includes(' > ') ? '^' : '(?:^|^.* )';
    const add = (end) => {
      const words = all.slice(0, end).map(holes);
      if (!ownNames) found.push(`${start}${words.join('(?: > | )')}$`);
      else found.push(...words.map((_, from) => `^${words.slice(from).join(' > ')}$`));
    };
    add(all.length);
    const outer = suitesIn(source, all).indexOf(false);
    if (outer < all.length - 1) add(outer + 1);
  }
  return found;
}

const asPattern = (glob) => {
  const parts = glob.replace(/^\.\//, '').split(/(\*\*\/|\*\*|\*|\?|\{[^}]*\})/);
  const words = parts.map((part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').map(escaped).join('|')})`;
    return escaped(part);
  });
  return new RegExp(`^${words.join('')}$`);
};

// Whether `node --test` with these words would run a file.
function nodeRuns(words, file) {
  const inside = path.relative(process.cwd(), file).split(path.sep).join('/');
  if (inside.startsWith('../')) return false;
  if (!words.length) {
    const name = path.basename(file).replace(/\.[^.]*$/, '');
    return /(^|\/)test\//.test(inside) || /^test$|^test-.|[.\-_]test$/.test(name);
  }
  return words.some((word) => {
    const place = real(word);
    return place === file || file.startsWith(place + path.sep) || asPattern(word).test(inside);
  });
}

module.exports = { aim, files, pattern, wants, nodePatterns, nodeRuns, here: (file) => path.join(__dirname, file) };
