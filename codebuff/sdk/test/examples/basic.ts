// Two prompts of one conversation, as a program for the original would do it.
import { CodebuffClient } from "@muster/codebuff-sdk";

const print = (...words: unknown[]) => void process.stdout.write(`${words.join(" ")}\n`);

const client = new CodebuffClient({ apiKey: process.env.CODEBUFF_API_KEY, cwd: process.cwd() });
const first = await client.run({
  agent: "codebuff/base@0.0.16",
  prompt: "Say something",
  handleEvent: (event) => {
    print("event", event.type, JSON.stringify(event).length > 0);
  },
});
const second = await client.run({ agent: "codebuff/base@0.0.16", prompt: "Say more", previousRun: first });
print("messages", second.sessionState?.mainAgentState.messageHistory.length);
print("output", second.output.type);
