/** Prints the milliseconds that importing a module takes: `client-import.mjs <url>`. */
const started = performance.now();
await import(process.argv[2]);
process.stdout.write(String(performance.now() - started));
