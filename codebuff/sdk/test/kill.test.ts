import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isLong } from "@muster/chaos";
import { historyFaults } from "@muster/codebuff-protocol";
import { startScriptedLlm } from "@muster/scripted-llm";
import { expect, it, onTestFinished } from "vitest";
import { SessionStore } from "../src/index.ts";
import { freshFolder } from "./fresh-folder.ts";

const runner = fileURLToPath(new URL("./programs/session-runner.mjs", import.meta.url));
const kills = isLong ? 50 : 20;
const sessions = 2;

it(`after ${kills} kills at random moments a session always goes on, and no call runs twice`, {
  timeout: 600_000,
}, async () => {
  await Promise.all(Array.from({ length: sessions }, () => killOneSession(kills / sessions)));
});

async function killOneSession(times: number): Promise<void> {
  const [top, home] = [await freshFolder("kill"), await freshFolder("home")];
  const cwd = join(top, "project");
  await mkdir(cwd);
  let calls = 0;
  const turn = ({ repliesSincePrompt }: { repliesSincePrompt: number }) => {
    if (repliesSincePrompt >= 3) return { text: "done" };
    const n = ++calls;
    return {
      text: `step ${n}`,
      tools: [
        { name: "write_file", native: true, input: { path: `f${n % 5}.txt`, instructions: "x", content: `${n}\n` } },
        { name: "run_terminal_command", native: true, input: { command: `echo call-${n} >> ../ran.log` } },
      ],
    };
  };
  const turns = Array.from({ length: 1_000 }, () => turn);
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  onTestFinished(() => llm.close());
  const store = new SessionStore({ cwd, home });
  let finished = 0;
  for (let round = 0; round < times; round++) {
    finished += await runAndKill([cwd, home, llm.url, `prompt ${round}`], 1 + Math.floor(Math.random() * 14));
    if (!(await store.exists("s_1"))) continue;
    const { messages } = await store.restore("s_1");
    expect(historyFaults(messages)).toEqual([]);
  }
  expect(await runAndKill([cwd, home, llm.url, "the last prompt"], Number.POSITIVE_INFINITY)).toBe(1);
  const { messages, interrupted } = await store.restore("s_1");
  expect(interrupted).toBe(false);
  expect(JSON.stringify(messages)).toContain("the last prompt");
  const ran = (await readFile(join(top, "ran.log"), "utf8")).trim().split("\n");
  expect(new Set(ran).size).toBe(ran.length);
  expect(finished).toBeLessThan(times);
}

/** 1 when the program came to its end before it was killed at its n-th line. */
async function runAndKill(args: readonly string[], line: number): Promise<0 | 1> {
  const child = spawn(process.execPath, [runner, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [lines, text, errors] = [0, "", ""];
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    lines += piece.split("\n").length - 1;
    if (lines >= line) setTimeout(() => child.kill("SIGKILL"), Math.random() * 30);
  });
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    errors += piece;
  });
  await once(child, "close");
  if (line === Number.POSITIVE_INFINITY) expect(`${text}${errors}`).toContain("end lastMessage");
  return text.includes("end ") ? 1 : 0;
}
