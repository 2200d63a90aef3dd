import type { ScriptInput } from "@muster/scripted-llm";
import type { Listener } from "./listener.ts";

type Conversations = ScriptInput["conversations"];
interface Life {
  conversations: (directory: string) => Conversations;
  drive: (life: Listener) => Promise<unknown>;
}

const call = (name: string, input: Record<string, unknown>) => ({ name, native: true, input });
const one =
  (...turns: Conversations[number]["turns"]) =>
  () => [{ turns }];
const shell = (command: string) => ({ text: "Let me run it.", tools: [call("shell", { command })] });
const asks = [
  {
    question: "Which one?",
    header: "One",
    options: [
      { label: "A", description: "a" },
      { label: "B", description: "b" },
    ],
  },
  {
    question: "Which ones?",
    header: "Many",
    multiple: true,
    options: [
      { label: "X", description: "x" },
      { label: "Y", description: "y" },
    ],
  },
];

/** What each recorded life of OpenCode 2 was led through; RECORD=1 records it anew from a real one. */
export const secondLives: Readonly<Record<string, Life>> = {
  hello: {
    conversations: one(
      {
        reasoning: "I greet.",
        text: "Hello there, this is an answer.",
        usage: { input: 1200, output: 40, cachedInput: 1000 },
      },
      { text: "And again." },
    ),
    drive: async (life) => {
      await life.turn("say hello");
      await life.turn("and again");
    },
  },
  shell: {
    conversations: one(shell("echo out; exit 3"), { text: "It ended with 3." }),
    drive: (life) => answering(life, "run it", "allow"),
  },
  "shell-rejected": {
    conversations: one(shell("rm -r everything"), { text: "Then not." }),
    drive: (life) => answering(life, "run it", "reject"),
  },
  files: {
    conversations: (directory) => [
      {
        turns: [
          { tools: [call("write", { path: `${directory}/notes.txt`, content: "alpha\nbeta\n" })] },
          { tools: [call("read", { path: `${directory}/notes.txt` })] },
          { tools: [call("edit", { path: `${directory}/notes.txt`, oldString: "alpha", newString: "ALPHA" })] },
          { text: "Done." },
        ],
      },
    ],
    drive: (life) => answering(life, "work with files", "allow", "allow"),
  },
  question: {
    conversations: one({ tools: [call("question", { questions: asks })] }, { text: "B and X." }),
    drive: async (life) => {
      await life.say("ask me");
      const { requestKey } = (await life.next("question.asked")).data;
      await life.send({ type: "question", requestKey, answers: [["B"], ["X"]] });
      await life.next("turn.finished");
    },
  },
  "question-declined": {
    conversations: one({ tools: [call("question", { questions: asks })] }, { text: "Then I choose." }),
    drive: async (life) => {
      await life.say("ask me");
      const { requestKey } = (await life.next("question.asked")).data;
      await life.send({ type: "question", requestKey });
      await life.next("turn.finished");
    },
  },
  subagent: {
    conversations: () => [
      { match: { firstUser: "look around" }, turns: [{ text: "I looked around." }] },
      {
        turns: [
          { tools: [call("subagent", { description: "Look", agent: "general", prompt: "look around" })] },
          { text: "It looked." },
        ],
      },
    ],
    drive: (life) => life.turn("delegate it"),
  },
  "error-401": {
    conversations: one({ fault: { kind: "status", status: 401, message: "bad key" }, times: "always" }),
    drive: (life) => life.turn("say hello"),
  },
  "error-500-retried": {
    conversations: one({ fault: { kind: "status", status: 500, message: "try later" } }, { text: "Now it works." }),
    drive: (life) => life.turn("say hello"),
  },
  "stream-cut": {
    conversations: one(
      { text: "This is cut in the middle of what is said.", fault: { kind: "drop", atByte: 900 } },
      { text: "Said anew." },
    ),
    drive: (life) => life.turn("say something"),
  },
  interrupted: {
    conversations: one(shell("sleep 600"), { text: "What now?" }),
    drive: async (life) => {
      await life.say("run it");
      await life.next("permission.asked");
      await life.send({ type: "interrupt" });
      await life.next("turn.finished");
      await life.turn("go on");
    },
  },
  steered: {
    conversations: one(shell("echo one"), { text: "With what you said." }),
    drive: async (life) => {
      await life.say("run it");
      const { requestKey } = (await life.next("permission.asked")).data;
      await life.say("and mind the gap", "steer");
      await life.send({ type: "permission", requestKey, decision: "allow" });
      await life.next("turn.finished");
    },
  },
};

async function answering(life: Listener, text: string, ...decisions: ("allow" | "reject")[]): Promise<void> {
  await life.say(text);
  for (const decision of decisions) {
    const { requestKey } = (await life.next("permission.asked")).data;
    await life.send({ type: "permission", requestKey, decision });
  }
  await life.next("turn.finished");
}
