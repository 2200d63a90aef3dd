import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadScript } from "./load-script.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scripts-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function errorOf(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  const error: Error = await loadScript(file).then(
    () => new Error("it loaded"),
    (thrown: Error) => thrown,
  );
  expect(error.name).toBe("ScriptError");
  return error.message.replaceAll(`${folder}/`, "");
}

describe("A bad script gives an error that names file, line, turn and field", () => {
  test.each([
    [
      "a wrong type deep in a turn",
      "conversations:\n  - turns:\n      - text: hi\n      - tools:\n          - name: 7\n",
      "bad.yaml:5: conversation 1, turn 2, field tools[0].name: Invalid input: expected string, received number",
    ],
    [
      "an unknown field",
      "conversations:\n  - turns:\n      - txt: hi\n        text: ho\n",
      'bad.yaml:3: conversation 1, turn 1: Unrecognized key: "txt"',
    ],
    [
      "an unknown fault",
      "conversations:\n  - turns:\n      - text: hi\n        fault: { kind: explode }\n",
      "bad.yaml:4: conversation 1, turn 1, field fault.kind: expected a kind: status, drop, malformed, stall, drip, error_event, duplicate_tool_ids or invalid_arguments",
    ],
    [
      "a fault without what it works on",
      "conversations:\n  - turns:\n      - { text: hi, fault: { kind: duplicate_tool_ids } }\n",
      "bad.yaml:3: conversation 1, turn 1, field fault: needs two tool calls",
    ],
    [
      "an empty turn",
      "conversations:\n  - turns:\n      - { usage: { input: 1, output: 1 } }\n",
      "bad.yaml:3: conversation 1, turn 1, field text: a turn needs text, reasoning, tools, parts, recorded or a status fault",
    ],
    [
      "usage that does not add up",
      "conversations:\n  - turns:\n      - text: hi\n        usage: { input: 5, output: 1, cachedInput: 6 }\n",
      "bad.yaml:4: conversation 1, turn 1, field usage.input: must include cachedInput and cacheWrite",
    ],
    [
      "a broken pattern",
      "conversations:\n  - match: { user: /(/ }\n    turns: [{ text: hi }]\n",
      "bad.yaml:2: conversation 1, field match.user: is not a valid regular expression",
    ],
    [
      "nothing to serve",
      "conversations: []\n",
      "bad.yaml:1: field conversations: a script needs a conversation or a route",
    ],
  ])("%s", async (_what, text, message) => {
    expect(await errorOf("bad.yaml", text)).toBe(message);
  });

  test("several faults at once", async () => {
    const text = "conversations:\n  - turns:\n      - { text: 7 }\n      - { text: hi, times: 0 }\n";
    expect((await errorOf("many.yaml", text)).split("\n")).toEqual([
      "many.yaml:3: conversation 1, turn 1, field text: expected a text or a list of chunks",
      expect.stringContaining("many.yaml:4: conversation 1, turn 2, field times: "),
    ]);
  });

  test("a file that is no YAML, and one that is not there", async () => {
    expect(await errorOf("broken.yaml", "conversations: [\n  }")).toMatch(/^broken\.yaml:2: /);
    await expect(loadScript(join(folder, "missing.yaml"))).rejects.toThrow("missing.yaml: cannot be read (ENOENT)");
  });

  test("a module that exports no script", async () => {
    expect(await errorOf("empty.mjs", "export const other = 1;")).toBe('empty.mjs: exports no "script"');
  });
});

describe("A good script", () => {
  test("takes its variables from the caller before its own, and leaves other braces alone", async () => {
    const file = join(folder, "good.yaml");
    await writeFile(
      file,
      'variables: { workspace: /default, name: x }\nconversations:\n  - turns:\n      - text: "{{workspace}} {{name}} {{other}}"\n',
    );
    const script = await loadScript(file, { variables: { workspace: "/given" } });
    expect(script.conversations[0]?.turns[0]).toEqual({ text: "/given x {{other}}" });
  });

  test("may be JSON, or a module with functions as turns", async () => {
    const json = join(folder, "good.json");
    await writeFile(json, '{"conversations":[{"turns":[{"text":"hi"}]}]}');
    expect((await loadScript(json)).conversations).toEqual([{ turns: [{ text: "hi" }] }]);
    const module = join(folder, "good.mjs");
    await writeFile(module, "export const script = { conversations: [{ turns: [() => ({ text: 'made' })] }] };");
    expect((await loadScript(module)).conversations[0]?.turns[0]).toBeTypeOf("function");
  });
});
