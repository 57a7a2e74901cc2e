package bench

// program is a function body that both engines run. An async one is awaited.
type program struct {
	name   string
	target float64 // the ratio to goja that docs/design.md asks for, or 0
	rounds int     // 0 is the default
	async  bool
	source string
}

var programs = []program{
	{"sum", 0.5, 0, false, "let s=0; for (let i=0;i<1000000;i++) { s += i } return s"},
	{"fib", 0.5, 0, false, "function fib(n){ return n<2?n:fib(n-1)+fib(n-2) } return fib(25)"},
	{"sieve", 0.6, 0, false, "const n=100000; const a=new Array(n+1).fill(true); let c=0; for (let i=2;i<=n;i++){ if(a[i]){ c++; for(let j=i*2;j<=n;j+=i) a[j]=false } } return c"},
	{"props", 0.5, 0, false, "const o={a:1,b:2,c:3}; let s=0; for (let i=0;i<100000;i++){ o.a=o.b+i; s+=o.a+o.c } return s"},
	{"chain", 0.6, 0, false, "const xs=[]; for(let i=0;i<10000;i++) xs.push({id:i,v:i%7}); return xs.map(x=>({...x,w:x.v*2})).filter(x=>x.w>4).reduce((a,x)=>a+x.w,0)"},
	{"try", 0.6, 0, false, "let c=0; for(let i=0;i<10000;i++){ try { if(i%2) throw new Error('x'); c++ } catch(e){ c+=2 } } return c"},
	{"closure", 0.5, 0, false, "function mk(){ let n=0; return ()=>{ n++; return n } } const f=mk(); let s=0; for(let i=0;i<100000;i++) s+=f(); return s"},
	{"recursion", 0.8, 0, false, "function d(n){ return n===0?0:1+d(n-1) } let s=0; for(let i=0;i<50;i++) s+=d(1500); return s"},
	{"class", 0.5, 0, false, "class P { constructor(x,y){ this.x=x; this.y=y } len(){ return this.x*this.x+this.y*this.y } } let s=0; for(let i=0;i<50000;i++){ s+=new P(i,i+1).len() } return s"},
	{"forof", 0.6, 0, false, "const xs=[]; for(let i=0;i<100000;i++) xs.push(i); let s=0; for (const x of xs) s+=x; return s"},
	{"sort", 0.6, 0, false, "const xs=[]; let z=1; for(let i=0;i<20000;i++){ z=(z*16807)%2147483647; xs.push(z) } xs.sort((a,b)=>a-b); return xs[10]"},
	{"map", 0.6, 0, false, "const m=new Map(); for(let i=0;i<20000;i++) m.set('k'+i%5000,(m.get('k'+i%5000)||0)+i); let s=0; for(const [k,v] of m) s+=v; return s"},
	{"set", 0.6, 0, false, "const m=new Set(); for(let i=0;i<50000;i++) m.add((i*7919)%10007); let s=0; for(const v of m) if(m.has(v+1)) s+=v; return s"},
	{"strings", 0.2, 3, false, "let s=''; for(let i=0;i<20000;i++){ s+='item '+i+',' } return s.length"},
	{"split-join", 0, 0, false, "const t=[]; for(let i=0;i<5000;i++) t.push('word'+i); const s=t.join(' '); return s.split(' ').map(w=>w.toUpperCase()+w.slice(2)).filter(w=>w.includes('7')).join('-').length"},
	{"template", 0, 0, false, "let n=0; for(let i=0;i<20000;i++){ n+=`${i}: ${i*2} of ${'abc'}`.length } return n"},
	{"json parse", 0.5, 0, false, "const xs=[]; for(let i=0;i<1000;i++) xs.push({id:i,name:'name '+i,tags:['a','b'],nested:{x:i/4,ok:true}}); const t=JSON.stringify(xs); let n=0; for(let i=0;i<5;i++) n+=JSON.parse(t).length; return n"},
	{"json stringify", 0.5, 0, false, "const xs=[]; for(let i=0;i<1000;i++) xs.push({id:i,name:'name '+i,tags:['a','b'],nested:{x:i/4,ok:true}}); let n=0; for(let i=0;i<5;i++) n+=JSON.stringify(xs).length; return n"},
	{"regex", 0, 0, false, "let n=0; const r=/(\\w+)@(\\w+)\\.com/g; const t='alice@example.com, bob@test.org, carol@site.com; '.repeat(200); for(let i=0;i<10;i++){ n+=t.replace(r,(m,a,b)=>b+':'+a).length; n+=[...t.matchAll(r)].length } return n"},
	{"destructure", 0, 0, false, "let s=0; for(let i=0;i<30000;i++){ const {a,b:[c,d],...rest}={a:i,b:[1,2],e:3,f:4}; s+=a+c+d+rest.e } return s"},
	{"spread", 0, 0, false, "let n=0; for(let i=0;i<5000;i++){ const o={a:1,b:2,c:i}; const p={...o,d:4}; n+=[...Object.entries(p),...Object.keys(p)].length } return n"},
	{"generator", 0, 0, false, "function* g(n){ for(let i=0;i<n;i++) yield i } let s=0; for(const x of g(50000)) s+=x; return s"},
	{"await", 0.4, 0, true, "let s=0; for(let i=0;i<20000;i++) s+=await i; return s"},
	{"async calls", 0.4, 0, true, "async function f(i){ await null; return i } let s=0; for(let i=0;i<5000;i++) s+=await f(i); return s"},
	{"promise all", 0.4, 0, true, "const all=[]; for(let i=0;i<3000;i++) all.push((async()=>{ await null; return i })()); return (await Promise.all(all)).reduce((a,b)=>a+b,0)"},
	{"then chain", 0.4, 0, true, "let p=Promise.resolve(0); for(let i=0;i<10000;i++) p=p.then(x=>x+1); return await p"},
}
