// Keeps what a producer of TAP prints, wherever the command sends it: through a pretty printer, a pipe, a file.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

module.exports = (runner) => {
  const out = process.env.GIT_TCR_OUT;
  // What the tests start themselves is not the run.
  delete process.env.GIT_TCR_OUT;
  if (!out || !process.stdout) return;
  const file = path.join(out, `${runner}-${process.pid}.tap`);
  const write = process.stdout.write;
  process.stdout.write = function (chunk, ...rest) {
    try {
      fs.appendFileSync(file, chunk);
    } catch {}
    return write.call(this, chunk, ...rest);
  };
  // One that dies before it says anything has left a report that does not end.
  fs.appendFileSync(file, '');
};
