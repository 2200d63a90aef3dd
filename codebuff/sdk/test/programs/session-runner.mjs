// Continues session s_1 with one prompt and prints the type of every event; the test kills it at some moment.
import { CodebuffClient } from "@muster/codebuff-sdk";

const [cwd, home, url, prompt] = process.argv.slice(2);
const client = new CodebuffClient({
  cwd,
  home,
  processEnv: { PATH: process.env.PATH, ANTHROPIC_API_KEY: "sk-ant-fake", ANTHROPIC_BASE_URL: url },
  agentDefinitions: [
    {
      id: "tester",
      displayName: "T",
      model: "anthropic/claude-haiku-4.5",
      toolNames: ["write_file", "run_terminal_command"],
    },
  ],
  handleEvent: (event) => void process.stdout.write(`${event.type}\n`),
});
const store = client.sessions();
const session = (await store.exists("s_1")) ? await store.continue("s_1") : await store.begin({ id: "s_1" });
const { output } = await client.run({ agent: "tester", prompt, session });
await session.close();
await client.close();
process.stdout.write(`end ${output.type}\n`);
