cache() { prints "$1" "node -e 'import(\"./src/cache.js\").then(({Cache}) => { const c = new Cache(2); $2 })'"; }
cache 'false true true 2' 'c.set("a", 1); c.set("b", 2); c.set("c", 3); console.log(c.has("a"), c.has("b"), c.has("c"), c.size)'
cache 'true false true' 'c.set("a", 1); c.set("b", 2); c.get("a"); c.set("c", 3); console.log(c.has("a"), c.has("b"), c.has("c"))'
cache 'false true' 'c.set("a", 1); c.set("b", 2); c.has("a"); c.set("c", 3); console.log(c.has("a"), c.has("b"))'
cache 'true 9 false' 'c.set("a", 1); c.set("b", 2); c.set("a", 9); c.set("c", 3); console.log(c.has("a"), c.get("a"), c.has("b"))'
cache 'true false' 'c.set("u", undefined); c.set("b", 2); c.get("u"); c.set("c", 3); console.log(c.has("u"), c.has("b"))'
cache 'RangeError' 'try { new Cache(0) } catch (error) { console.log(error.name) }'
