/a(b)?c/.exec('xacx')
/(?<y>\d{4})-(?<m>\d\d)/.exec('on 2024-05').groups
/(?<y>\d{4})-(?<m>\d\d)/d.exec('on 2024-05').indices
/(?<y>\d{4})-(?<m>\d\d)/d.exec('on 2024-05').indices.groups
/a/g.test('ba')
(() => { const re = /a/g; return [re.test('aa'), re.lastIndex, re.test('aa'), re.lastIndex, re.test('aa'), re.lastIndex] })()
(() => { const re = /a/y; return [re.test('ba'), re.lastIndex, (re.lastIndex = 1, re.test('ba')), re.lastIndex] })()
(() => { const re = /a/g; re.lastIndex = 5; return [re.exec('aaa'), re.lastIndex] })()
(() => { const re = /a/; re.lastIndex = 5; return [re.exec('aaa').index, re.lastIndex] })()
String(/a\/b/gi)
new RegExp('/').source
new RegExp('').source
new RegExp('\n').source
new RegExp('[/]').source
new RegExp('a', 'ig').flags
RegExp('a') instanceof RegExp
(() => { const re = /x/g; return RegExp(re) === re })()
(() => { const re = /x/g; return new RegExp(re) === re })()
new RegExp(/x/g, 'i')
new RegExp('(')
new RegExp('a', 'gg')
new RegExp('[b-a]')
'abcabc'.match(/b/g)
'abcabc'.match(/b/)
'abc'.match(/x/g)
'abc'.match()
'a.b'.match('.')
'abc'.match(/(?:)/g)
'😀a'.match(/(?:)/gu).length
[...'a1b2'.matchAll(/([a-z])(\d)/g)]
[...'a1b2'.matchAll('\\d')].length
'a1b2'.matchAll(/\d/)
'abcd'.search(/c/)
'abcd'.search(/x/)
(() => { const re = /c/g; re.lastIndex = 3; return ['abcd'.search(re), re.lastIndex] })()
'a1b22c'.split(/\d+/)
'a1b2c'.split(/(\d)/)
'abc'.split(/(?:)/)
'abc'.split(/(?:)/u)
''.split(/a/)
''.split(/(?:)/)
'abc'.split(/b/, 1)
'A<B>bold</B>and<CODE>coded</CODE>'.split(/<(\/)?([^<>]+)>/)
'aXbxc'.split(/x/i)
'abc'.split(/$/)
'abc'.split(/^/)
'ab'.split(/a*?/)
'ab'.split(/a*/)
'a,b'.split(/,/y)
'aaa'.replace(/a/g, (m, i) => i)
'abc'.replace(/(b)/, '[$1]')
'abc'.replace(/(?<x>b)/, '[$<x>]')
'abc'.replace(/(?<x>b)/, '[$<y>]')
'abc'.replace(/b/, '[$<x>]')
'abc'.replace(/b/, '$`$\'$&$$')
'abc'.replace(/(b)(c)?/, '$2$1$10$3')
'John Smith'.replace(/(\w+)\s(\w+)/, '$2, $1')
'aBc'.replace(/[A-Z]/g, (c) => '_' + c.toLowerCase())
'2024-05-06'.replace(/(?<y>\d+)-(?<m>\d+)-(?<d>\d+)/, (...a) => JSON.stringify(a))
'abc'.replace(/x*/g, '-')
'😀'.replace(/x*/g, '-').length
'😀'.replace(/x*/gu, '-').length
'aaa'.replaceAll(/a/g, 'b')
'aaa'.replaceAll(/a/, 'b')
(() => { const re = /a/y; return ['aab'.replace(re, 'x'), re.lastIndex, 'aab'.replace(re, 'x'), re.lastIndex] })()
(() => { const re = /a/gy; return ['aaba'.replace(re, 'x'), re.lastIndex] })()
(() => { const re = /./g; re.exec = () => null; return 'abc'.replace(re, 'x') })()
(() => { const re = /./; let n = 0; re.exec = function (s) { return n++ ? null : {index: 1, length: 1, 0: 'b'} }; return ['abc'.replace(re, '[$&]'), re.test('x')] })()
(() => { class R extends RegExp { exec(s) { const m = super.exec(s); if (m) m[0] = m[0].toUpperCase(); return m } } return ['abc'.replace(new R('b', 'g'), '<$&>'), 'abc'.match(new R('b', 'g')), 'abcb'.split(new R('b'))] })()
/\p{L}+/u.exec('héllo wörld')[0]
/(?<=\$)\d+/.exec('cost $42')[0]
/(?<!\$)\b\d+/.exec('cost $42 17')[0]
/a.c/s.test('a\nc')
/^b/m.test('a\nb')
/\u{1F600}/u.test('😀')
/^.$/u.test('😀')
/^.$/.test('😀')
/[\w-]+@[\w.-]+\.\w+/.exec('mail bob@example.com now')[0]
/(a)|(b)/.exec('b')
/(z)((a+)?(b+)?(c))*/.exec('zaacbbbcac')
/(?=(a+))a*b\1/.exec('baaabac')
/\bfoo\b/i.test('a FOO b')
/[^]/.test('\n')
/a{2,3}?/.exec('aaaa')[0]
/(?:a|ab)(?:c|bcd)(?:d*)/.exec('abcd')[0]
/\cA/.test('\x01')
/[\b]/.test('\b')
/\0/.test('\0')
RegExp.prototype.source
RegExp.prototype.flags
RegExp.prototype.global
RegExp.prototype.toString()
Object.getOwnPropertyDescriptor(/a/, 'lastIndex')
Object.keys(/a/.exec('a'))
Object.getOwnPropertyNames(RegExp.prototype).sort()
RegExp.prototype[Symbol.replace].name + RegExp.prototype[Symbol.split].length
RegExp.prototype.exec.call({}, 'a')
Object.getOwnPropertyDescriptor(RegExp.prototype, 'global').get.call({})
RegExp.length
RegExp[Symbol.species] === RegExp
Object.prototype.toString.call(/a/)
JSON.stringify(/a/)
/[\u4e00-\u9fa5]/.test('中')
'x'.replace(/x/, '$0')
'tel: 555-1234'.replace(/\D/g, '')
(() => { const s = 'k1=v1;k2=v2'; const re = /(\w+)=(\w+)/g; const o = {}; let m; while ((m = re.exec(s)) !== null) o[m[1]] = m[2]; return o })()
(() => { const s = 'é'.repeat(50) + 'x'; const re = /x/g; re.test(s); return re.lastIndex })()
Object.getOwnPropertyNames('a'.matchAll(/a/g).__proto__)
(() => { Object.freeze; const re = Object.freeze(/a/g); return re.test('a') })()
/(?<a>x)|(?<b>y)/.exec('y').groups
/a/v.flags
/[\p{L}--[a-z]]/v.test('A')
/a/.test()
/undefined/.test()
/a/.compile('b').source
'aBC'.replace(/b/gi, '$&$&')
'one\r\ntwo\nthree'.split(/\r?\n/)
RegExp.escape('a.b*c-d/e f\n1')
RegExp.escape('1abc')
RegExp.escape('(x)[y]{z}^$|?+\\')
RegExp.escape('\u2028\ufeffé😀\ud800')
RegExp.escape(5)
/(?<y>\d{4})|(?<y>\d\d)/.exec('24').groups
/(?i:a)b/.test('Ab')
