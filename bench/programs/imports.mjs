/** Imports what a start of the daemon needs, one after the other, and prints what each adds: `{ name, ms, megabytes }[]`. */
const rooms = ["schema", "adapters", "engine", "server", "cli"];
const modules = [
  ...["node:http", "zod", "commander", "hono/router/trie-router"].map((name) => ({ name, from: name })),
  ...rooms.map((room) => ({
    name: `daemon/${room}`,
    from: new URL(`../../daemon/${room}/dist/index.js`, import.meta.url).href,
  })),
];

const costs = [];
for (const { name, from } of modules) {
  const ms = performance.now();
  const bytes = process.memoryUsage.rss();
  await import(from);
  costs.push({ name, ms: performance.now() - ms, megabytes: (process.memoryUsage.rss() - bytes) / 2 ** 20 });
}
process.stdout.write(`${JSON.stringify(costs)}\n`);
