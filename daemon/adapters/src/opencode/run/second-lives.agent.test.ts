import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedLlm } from "@muster/scripted-llm";
import { expect, onTestFinished, test } from "vitest";
import { makeDirectory, makeHost, openOptions } from "../../../test/host.ts";
import { Listener } from "../../../test/listener.ts";
import { secondLives } from "../../../test/opencode-2-lives.ts";
import { record } from "../../../test/recorded-life.ts";
import { opencode } from "../index.ts";

/** A real OpenCode 2. It stands in no registry that the tests use, so whoever has one names its program. */
const program = process.env.MUSTER_OPENCODE_2;
if (program === undefined) process.stderr.write("skipped: MUSTER_OPENCODE_2 names no program of OpenCode 2\n");
const recordings = fileURLToPath(new URL("../../../recordings/opencode-2/", import.meta.url));

test.runIf(program !== undefined).each(Object.entries(secondLives))(
  "a real OpenCode 2 lives through %s",
  async (name, life) => {
    const bin = makeDirectory();
    symlinkSync(program ?? "", join(bin, "opencode"));
    const host = makeHost({ env: { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) } });
    const directory = join(host.home, "work");
    mkdirSync(directory);
    const llm = await startScriptedLlm({ script: { conversations: life.conversations(directory) } });
    onTestFinished(() => llm.close());
    const endpoint = { baseUrl: llm.url, model: "scripted/m1", token: "sk-test-000" };
    const session = await opencode.open(host, openOptions(host, { directory, ...endpoint }));
    onTestFinished(() => session.close({ graceMs: 0 }));
    const listener = new Listener(session);
    if (process.env.RECORD !== "1") {
      await life.drive(listener);
      expect(listener.signals.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
      return;
    }
    const folder = join(recordings, name);
    await record(folder, listener, () => life.drive(listener));
    for (const file of ["native.jsonl", "events.json"]) {
      const text = readFileSync(join(folder, file), "utf8")
        .replaceAll(directory, "/workspace")
        .replaceAll(host.home, "/home/person");
      writeFileSync(join(folder, file), text);
    }
  },
);
