import type { Prompt, Script } from "./script.ts";

const echo: Script = async ({ turn, argument }) => {
  await turn.tell(argument);
  return undefined;
};

const markdown: Script = async ({ turn }) => {
  await turn.tell(sample);
  return undefined;
};

const reasoning: Script = async ({ turn }) => {
  await turn.think("The question is simple. I look at it from two sides and choose the shorter way.");
  await turn.tell("I thought about it: the shorter way is the better one.");
  return undefined;
};

const status: Script = async ({ turn }) => {
  turn.note("indexing", "42 of 42 files");
  await turn.tell("The status is above.");
  return undefined;
};

const image: Script = async ({ turn }) => {
  turn.whole({
    what: "message",
    voice: "assistant",
    pieces: [
      { as: "words", words: "One red pixel:" },
      { as: "picture", mime: "image/png", base64: redPixel },
    ],
  });
  return undefined;
};

const slow: Script = async ({ turn, argument }) => {
  const total = numberOf(argument, 1_000);
  const step = Math.max(1, Math.min(200, total / 10));
  const end = Date.now() + total;
  const block = turn.open({ what: "message", voice: "assistant", pieces: [{ as: "words", words: "" }] });
  for (let left = total; left > 0; left = end - Date.now()) {
    await turn.pause(Math.min(step, left));
    for (const nudge of turn.nudges.splice(0)) block.more(0, "words", `[you added: ${nudge}] `);
    block.more(0, "words", "tick ");
    turn.outTokens++;
  }
  block.close();
  return undefined;
};

/** Text of one message in a burst: well below the size at which an event would be cut. */
const messageBytes = 256 * 1024;

const burst: Script = async ({ turn, argument }) => {
  const [count, bytes] = argument.split(/\s+/).filter(Boolean);
  const deltas = numberOf(count, 1_000);
  const width = numberOf(bytes, 12);
  const perMessage = Math.max(1, Math.floor(messageBytes / width));
  for (let sent = 0; sent < deltas; ) {
    const block = turn.open({ what: "message", voice: "assistant", pieces: [{ as: "words", words: "" }] });
    for (const end = Math.min(deltas, sent + perMessage); sent < end; ) {
      sent++;
      block.more(0, "words", `${sent} `.padEnd(width, "."));
      if (sent % 512 === 0) await turn.breathe();
    }
    block.close();
  }
  turn.outTokens += deltas;
  return undefined;
};

const history: Script = async ({ turn, memory }) => {
  const lines = memory.prompts.map((prompt, index) => `${index + 1}. ${prompt}`);
  await turn.tell(lines.length === 0 ? "This is the first prompt." : lines.join("\n"));
  return undefined;
};

const settings: Script = async ({ turn }) => {
  const { model, mode = "build", variant = "none", guard, systemPrompt = "none", directory } = turn.settings;
  await turn.tell(
    `model ${model}, mode ${mode}, variant ${variant}, permissions ${guard}, directory ${directory}, system prompt ${systemPrompt}`,
  );
  return undefined;
};

const environment: Script = async ({ turn, argument }) => {
  const value = process.env[argument];
  await turn.tell(value === undefined ? `${argument} is not set` : `${argument}=${value}`);
  return undefined;
};

export function numberOf(text: string | undefined, fallback: number): number {
  const number = Number(text);
  return text === undefined || text.trim() === "" || !Number.isFinite(number) || number < 0 ? fallback : number;
}

export const plainPrompts: Record<string, Prompt> = {
  echo: { usage: "echo <text>", does: "says the text", run: echo },
  markdown: { usage: "markdown", does: "says a page of markdown", run: markdown },
  reasoning: { usage: "reasoning", does: "thinks, then answers", run: reasoning },
  status: { usage: "status", does: "gives a status", run: status },
  image: { usage: "image", does: "shows an image", run: image },
  slow: { usage: "slow <ms>", does: "takes that long and lets itself be steered", run: slow },
  burst: { usage: "burst <n> [bytes]", does: "n deltas as fast as it can", run: burst },
  history: { usage: "history", does: "lists the earlier prompts of this conversation", run: history },
  settings: { usage: "settings", does: "tells how it is set", run: settings },
  env: { usage: "env <NAME>", does: "tells a variable of its environment", run: environment },
};

const redPixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

const sample = `# A heading

Some *emphasis*, some **weight**, some \`code\`, and a [link](https://example.com).

1. first
2. second
   - nested, with an emoji 🧪 and a line separator "\u2028" inside

| left | right |
|---|---:|
| a | 1 |

\`\`\`ts
const answer: number = 42;
\`\`\`

> The end.
`;
