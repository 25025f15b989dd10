// jest --filter=<this>: only the files of wanted tests. Jest 30 wants paths, those before objects.
'use strict';
const { wants } = require('./tcr-node-aim.cjs');

module.exports = (paths) => ({ filtered: paths.filter(wants).flatMap((path) => [path, { test: path }]) });
