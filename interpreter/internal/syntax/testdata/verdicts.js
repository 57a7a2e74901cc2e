// Writes the engine's verdict on each program of verdicts.jsonl, taken as the body of a strict async function, back to
// the file. Run: node verdicts.js
const fs = require('fs');
const AsyncFunction = (async () => {}).constructor;
const file = __dirname + '/verdicts.jsonl';
const lines = fs.readFileSync(file, 'utf8').trim().split('\n').map((line) => {
  const { src } = JSON.parse(line);
  try {
    new AsyncFunction('"use strict";' + src + '\n');
    return JSON.stringify({ src });
  } catch (e) {
    return JSON.stringify({ src, error: e.message });
  }
});
fs.writeFileSync(file, lines.join('\n') + '\n');
