// NODE_OPTIONS=--require=<this>: adds our reporter to the arguments of vitest, jest and mocha.
'use strict';
try {
  const out = process.env.GIT_TCR_OUT;
  const script = process.argv[1] || '';
  const isWorker =
    !require('node:worker_threads').isMainThread || process.env.VITEST_WORKER_ID || process.env.JEST_WORKER_ID;
  if (out && script && !isWorker) {
    const path = require('node:path');
    let real = script;
    try {
      real = require('node:fs').realpathSync(script);
    } catch {}
    const name = path.basename(script);
    const is = (runner) => name === runner || real.split(/[\\/]/).join('/').includes(`/node_modules/${runner}/`);
    const has = (flag) => process.argv.some((word) => word === flag || word.startsWith(`${flag}=`));
    const here = (file) => path.join(__dirname, file);
    const end = process.argv.indexOf('--');
    const add = (...words) => process.argv.splice(end < 0 ? process.argv.length : end, 0, ...words);
    if (is('vitest')) {
      if (!has('--reporter') && !has('--reporters')) add('--reporter=default');
      add(`--reporter=${here('tcr-vitest-reporter.mjs')}`);
    } else if (is('jest') || is('jest-cli') || is('react-scripts')) {
      if (!has('--reporters')) add('--reporters=default');
      add(`--reporters=${here('tcr-jest-reporter.cjs')}`);
    } else if (is('mocha') || name === '_mocha') {
      process.argv.splice(2, 0, '--require', here('tcr-mocha-require.cjs'));
    }
  }
} catch {}
