// NODE_OPTIONS=--require=<this>: adds our reporter to the arguments of vitest, jest and mocha, and limits them
// and `node --test` to the wanted tests, if some are.
'use strict';
try {
  const out = process.env.GIT_TCR_OUT;
  const script = process.argv[1] || '';
  const isWorker =
    !require('node:worker_threads').isMainThread || process.env.VITEST_WORKER_ID || process.env.JEST_WORKER_ID;
  const isTestRunner = process.execArgv.includes('--test') && !process.env.NODE_TEST_CONTEXT;
  if (out && isTestRunner && !isWorker) {
    const { aim, files, nodePatterns, nodeRuns, here } = require('./tcr-node-aim.cjs');
    if (aim) {
      const words = process.argv.slice(1);
      const chosen = files && [...files].filter((file) => nodeRuns(words, file));
      if (chosen) process.argv.splice(1, words.length, ...(chosen.length ? chosen : [here('nothing.cjs')]));
      const patterns = nodePatterns().map((pattern) => `--test-name-pattern=${pattern}`);
      // Node 20 passes the words on, later ones the variable, where quotes and backslashes are special.
      process.execArgv.push(...patterns);
      if (Number(process.versions.node.split('.')[0]) >= 22) {
        const quoted = patterns.map((word) => `"${word.replace(/[\\"]/g, '\\$&')}"`);
        process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, ...quoted].join(' ');
      }
    }
  } else if (out && script && !isWorker) {
    const path = require('node:path');
    let real = script;
    try {
      real = require('node:fs').realpathSync(script);
    } catch {}
    const name = path.basename(script);
    const is = (runner) => name === runner || real.split(/[\\/]/).join('/').includes(`/node_modules/${runner}/`);
    const has = (flag) => process.argv.some((word) => word === flag || word.startsWith(`${flag}=`));
    const loads = (runner) => {
      try {
        return new RegExp(`['"]${runner}['"]`).test(require('node:fs').readFileSync(real, 'utf8'));
      } catch {
        return false;
      }
    };
    const here = (file) => path.join(__dirname, file);
    const end = process.argv.indexOf('--');
    // Every test is asked, also after one that failed.
    const letAllEnd = (...short) => {
      const isIt = (word) => word === '--bail' || word.startsWith('--bail=') || short.includes(word);
      for (let at = process.argv.length - 1; at > 1; at--) {
        if (!isIt(process.argv[at]) || (end >= 0 && at > end)) continue;
        const hasValue = process.argv[at] === '--bail' && /^\d+$/.test(process.argv[at + 1] || '');
        process.argv.splice(at, hasValue ? 2 : 1);
      }
    };
    const add = (...words) => process.argv.splice(end < 0 ? process.argv.length : end, 0, ...words);
    if (is('vitest')) {
      letAllEnd();
      if (!has('--reporter') && !has('--reporters')) add('--reporter=default');
      add(`--reporter=${here('tcr-vitest-reporter.mjs')}`);
    } else if (is('jest') || is('jest-cli') || is('react-scripts')) {
      letAllEnd('-b');
      if (!has('--reporters')) add('--reporters=default');
      add(`--reporters=${here('tcr-jest-reporter.cjs')}`);
      const { aim, pattern } = require('./tcr-node-aim.cjs');
      if (aim && !has('--filter')) {
        add(`--filter=${here('tcr-jest-filter.cjs')}`, '--passWithNoTests');
        if (pattern) add(`--testNamePattern=${pattern}`);
      }
    } else if (is('mocha') || name === '_mocha') {
      letAllEnd('-b');
      process.argv.splice(2, 0, '--require', here('tcr-mocha-require.cjs'));
    } else if (is('jasmine')) {
      add(`--helper=${here('tcr-jasmine-helper.cjs')}`);
    } else if (is('@cucumber/cucumber') || name === 'cucumber-js') {
      add('--format', `${here('tcr-cucumber-format.cjs')}:/dev/null`);
    } else if (is('ava')) {
      if (!has('--tap') && !has('-t')) add('--tap');
      require('./tcr-tee.cjs')('of-ava');
    } else if (is('qunit') || is('tap')) {
      require('./tcr-tee.cjs')(is('qunit') ? 'of-qunit' : 'of-node_tap');
    } else if (is('uvu') || loads('uvu')) {
      require('./tcr-uvu.cjs');
    } else {
      require('./tcr-tape.cjs');
    }
  }
} catch {}
