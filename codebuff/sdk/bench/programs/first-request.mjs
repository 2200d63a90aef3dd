// Two prompts to a service that refuses; prints when each run() was called and the memory at the end.
import { CodebuffClient } from "../../dist/index.js";

const [cwd, home, url] = process.argv.slice(2);
const client = new CodebuffClient({
  cwd,
  home,
  processEnv: { PATH: process.env.PATH, ANTHROPIC_API_KEY: "sk-ant-bench", ANTHROPIC_BASE_URL: url },
});
const started = [];
for (let n = 0; n < 2; n++) {
  started.push(performance.timeOrigin + performance.now());
  await client.run({ prompt: "Hello" });
}
const { rss } = process.memoryUsage();
await client.close();
process.stdout.write(JSON.stringify({ started, rss }));
