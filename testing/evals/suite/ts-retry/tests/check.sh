retry() { prints "$1" "node -e 'import(\"./src/retry.js\").then(async ({retry}) => { const fails = (times) => async (n) => { calls.push(n); if (n <= times) throw new Error(\"e\" + n); return \"ok\" + n; }; const calls = []; const said = await (async () => { $2 })().catch((error) => \"threw \" + (error.message ?? error)); console.log(said, calls.join()); })'"; }
retry 'ok3 1,2,3' 'return retry(fails(2), {attempts: 5, delayMs: 1})'
retry 'threw e2 1,2' 'return retry(fails(9), {attempts: 2, delayMs: 1})'
retry 'threw e1 1' 'return retry(fails(9), {attempts: 5, delayMs: 1, isFinal: () => true})'
retry 'threw gone ' 'return retry(fails(0), {attempts: 5, delayMs: 1, signal: AbortSignal.abort(new Error("gone"))})'
retry 'threw gone 1' 'const stop = new AbortController(); setTimeout(() => stop.abort(new Error("gone")), 20); const clock = setTimeout(() => process.exit(9), 5000); const end = await retry(fails(9), {attempts: 5, delayMs: 3600000, signal: stop.signal}).finally(() => clearTimeout(clock)); return end'
retry 'ok1 1' 'return retry(async (n) => fails(0)(n), {attempts: 1, delayMs: 3600000})'
