function encode(v, depth = 0) {
  if (depth > 6) return '…';
  if (typeof v === 'string') return JSON.stringify(v);
  if (typeof v === 'bigint') return v.toString() + 'n';
  if (typeof v === 'number') return Object.is(v, -0) ? '-0' : String(v);
  if (typeof v === 'symbol') return v.toString();
  if (typeof v === 'function') return 'function ' + v.name + '/' + v.length;
  if (v === null || typeof v !== 'object') return String(v);
  const rest = (o) => Object.keys(o).map((k) => k + ': ' + encode(o[k], depth + 1));
  if (Array.isArray(v)) {
    const items = Object.keys(v).map((k) => (/^\d+$/.test(k) ? '' : k + ': ') + encode(v[k], depth + 1));
    return '[' + items.join(', ') + ']' + (v.length === items.length ? '' : '#' + v.length);
  }
  const tag = Object.prototype.toString.call(v).slice(8, -1);
  if (v instanceof Error) return v.name + '(' + rest(v).join(', ') + ')';
  if (tag === 'Map' || tag === 'Set') return tag + encode([...v], depth + 1);
  if (tag === 'Date') return 'Date ' + v.getTime();
  if (tag === 'RegExp') return '/' + v.source + '/' + v.flags + '@' + v.lastIndex;
  if (tag === 'Number' || tag === 'String' || tag === 'Boolean') return tag + '(' + encode(v.valueOf(), depth + 1) + ')';
  return (tag === 'Object' ? '' : tag) + '{' + rest(v).join(', ') + '}';
}
