new URL('https://user:pa%20ss@Example.COM:8080/a/../b/./c?x=1&y=2#frag').href
(() => { const u = new URL('https://user:pw@example.com:8080/p/a?x=1#h'); return [u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash] })()
new URL('/x?y', 'https://example.com/a/b').href
new URL('../x', 'https://example.com/a/b/c').href
new URL('//other.org/x', 'https://example.com').href
new URL('nope')
new URL('')
new URL('https://')
new URL('http://exa mple.com')
new URL('https://example.com:443/').port
new URL('https://example.com').href
new URL('HTTP://EXAMPLE.com:80/%7Efoo/ä?q=ü#ö').href
new URL('https://münchen.de/').href
new URL('http://0x7f.1/').hostname
new URL('http://[::1]:80/').host
new URL('http://[2001:db8:0:0:0:0:0:1]/').host
new URL('file:///C:/a/../b').href
new URL('mailto:a@b.c').href
new URL('mailto:a@b.c').origin
new URL('data:text/plain,hi there').href
new URL('javascript:alert(1)').pathname
new URL('https://a.b/c d?e f#g h').href
new URL('https://a.b/%zz').href
new URL('  https://a.b/\t\n ').href
new URL('https:\\\\a.b\\c').href
new URL('http://256.256.256.256/')
new URL('http://1.2.3/').host
new URL('http://a.b:99999/')
new URL('http://a%41b/').host
new URL('http://a<b/')
new URL('blob:https://a.b/x').origin
new URL('foo://bar/baz?q').host
new URL('foo:/bar/../baz').href
new URL('?q=2', 'https://a.b/c?q=1#h').href
new URL('#z', 'https://a.b/c?q=1#h').href
new URL('', 'https://a.b/c?q=1#h').href
new URL('x', 'mailto:a@b')
URL.canParse('https://a.b')
URL.canParse('a.b')
URL.canParse('a', 'https://a.b')
URL('https://a.b')
(() => { const u = new URL('https://a.b/c'); u.pathname = '/x y'; u.search = 'q=1 2'; u.hash = 'z'; u.port = '81'; u.hostname = 'c.d'; u.protocol = 'http'; u.username = 'me'; u.password = 'p:w'; return u.href })()
(() => { const u = new URL('https://a.b/c'); u.port = 'abc'; u.host = ''; u.protocol = 'mailto'; return u.href })()
(() => { const u = new URL('https://a.b:8080/c'); u.port = ''; u.search = ''; u.hash = ''; return u.href })()
(() => { const u = new URL('https://a.b/c?x=1'); u.searchParams.append('y', 'a b&c'); u.searchParams.delete('x'); return u.href })()
(() => { const u = new URL('https://a.b/c?x=1'); const p = u.searchParams; u.search = '?z=3'; return [p.get('z'), p.get('x'), p === u.searchParams] })()
(() => { const u = new URL('https://a.b/c?x=1#h'); u.searchParams.delete('x'); return u.href })()
(() => { const u = new URL('https://a.b/'); u.href = 'http://x.y/?a=b'; return [u.host, u.searchParams.get('a')] })()
(() => { const u = new URL('https://a.b/'); u.href = 'nope' })()
JSON.stringify({u: new URL('https://a.b')})
String(new URL('https://a.b'))
`${new URL('https://a.b/c')}`
Object.prototype.toString.call(new URL('https://a.b'))
new URLSearchParams('a=1&b=2&a=3').getAll('a')
new URLSearchParams('?a=1').get('a')
new URLSearchParams({a: 1, b: 'x y', c: undefined}).toString()
new URLSearchParams([['a', '1'], ['b', '2']]).toString()
new URLSearchParams(new Map([['a', '1']])).toString()
new URLSearchParams(new URLSearchParams('q=1')).toString()
new URLSearchParams([['a']])
new URLSearchParams([1])
new URLSearchParams('a=%E4%BD%A0+%zz&b&=c&&d==').toString()
[...new URLSearchParams('a=1&b=2')]
[...new URLSearchParams('a=1&b=2').keys()]
[...new URLSearchParams('a=1&b=2').values()]
(() => { const p = new URLSearchParams('a=1&b=2&a=3'); p.set('a', 'x'); p.append('c', 'é'); p.sort(); return [p.toString(), p.has('a'), p.has('a', 'y'), p.size] })()
(() => { const p = new URLSearchParams('a=1&a=2'); p.delete('a', '1'); return p.toString() })()
(() => { const out = []; new URLSearchParams('a=1').forEach((v, k, p) => out.push(v, k, p.size)); return out })()
new URLSearchParams("a=~!*'()-._ %").toString()
new URLSearchParams().get('x')
new URLSearchParams('a=1').append('b')
new URLSearchParams(undefined).toString()
new URLSearchParams('\ud800=1').toString()
Object.fromEntries(new URLSearchParams('a=1&b=2'))
[...new Headers({'Content-Type': 'text/plain', 'X-A': ' b '})]
(() => { const h = new Headers([['a', '1']]); h.append('A', '2'); h.set('B', 'x'); h.delete('zz'); return [h.get('a'), h.has('b'), h.get('c'), [...h.keys()]] })()
new Headers({'bad name': 'x'})
new Headers({a: 'x\ny'})
new Headers({a: '€'})
(() => { const h = new Headers(); h.append('Set-Cookie', 'a=1'); h.append('set-cookie', 'b=2'); return [h.getSetCookie(), [...h]] })()
(() => { const h = new Headers({z: '1', a: '2'}); const out = []; h.forEach((v, k) => out.push(k + v)); return out })()
new Headers(new Headers({a: '1'})).get('A')
new Headers('x')
Object.prototype.toString.call(new Headers())
