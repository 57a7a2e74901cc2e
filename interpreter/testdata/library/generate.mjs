// Writes the *.golden files: what this engine says about each expression of the *.js files.
import fs from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';

for (const flag of ['--js-base-64', '--harmony-sum-precise', '--js-sum-precise', '--js-upsert']) {
  try { v8.setFlagsFromString(flag); } catch { /* not this engine's */ }
}
process.env.TZ = 'UTC';
const encode = fs.readFileSync('encode.js', 'utf8');
for (const file of fs.readdirSync('.').filter((f) => f.endsWith('.js') && f !== 'encode.js')) {
  const lines = fs.readFileSync(file, 'utf8').split('\n').filter((l) => l.trim() && !l.startsWith('//'));
  const out = [];
  for (const line of lines) {
    const globals = { URL, URLSearchParams, Headers, TextEncoder, TextDecoder, atob, btoa, structuredClone, crypto, queueMicrotask };
    const context = vm.createContext(globals);
    let text;
    try {
      text = await vm.runInContext(`${encode};(async () => { "use strict"; return encode(await (${line})) })()`, context);
    } catch (e) {
      text = 'throws ' + e.name;
    }
    out.push(text.replaceAll('\n', '\\n').replace(/[\u2028\u2029\ud800-\udfff]/gu, (c) => '\\u' + c.charCodeAt(0).toString(16)));
  }
  fs.writeFileSync(file.replace(/\.js$/, '.golden'), out.join('\n') + '\n');
}
