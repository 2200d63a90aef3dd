import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, type World } from "./command.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld(
    { conversations: [{ each: "prompt", turns: [{ text: ["Hello", " there."], times: "always" }] }] },
    { "~/.agents/broken.ts": 'export default { id: "Bad Id", displayName: "Broken", model: 3 };\n' },
  );
});
afterAll(() => world.close());

describe("a name that is not there", () => {
  it.each([
    ["--agent", "nosuch"],
    ["--model", "nosuch/x"],
    ["--provider", "nosuch"],
    ["--continue", "nosuch"],
    ["--cwd", "/nosuch"],
  ])("%s %s ends with 2, names it and asks no model", async (flag, name) => {
    const before = world.llm.requests().length;
    const { code, err } = await world.run(["-n", flag, name, "hi"]);
    expect({ code, names: err.includes(name) }).toEqual({ code: 2, names: true });
    expect(world.llm.requests()).toHaveLength(before);
  });

  it.each([
    ["sessions", "show", "nosuch"],
    ["sessions", "fork", "nosuch"],
    ["sessions", "export", "nosuch"],
    ["sessions", "delete", "nosuch"],
    ["mcp", "test", "nosuch"],
  ])("%s %s %s ends with 2 too", async (...args) => {
    expect(await world.run(args)).toMatchObject({ code: 2, err: expect.stringContaining("nosuch") });
  });

  it("is an error line of --stream-json, with the same code", async () => {
    const { code, lines } = await world.run(["--stream-json", "--agent", "nosuch", "hi"]);
    expect(code).toBe(2);
    expect(lines).toMatchObject([{ type: "error", code: "agent_not_found", fatal: true }]);
  });
});

describe("lines of --stream-json -q", () => {
  it("carry the session, texts too", async () => {
    const { lines } = await world.run(["--stream-json", "-q", "hi"]);
    const texts = lines.filter(({ type }) => type === "text");
    expect(texts).toMatchObject([{ text: "Hello there.", sessionId: lines[0]?.sessionId }]);
  });
});

describe("a broken agent file", () => {
  it("is told with its fields, once in a process that stays open", async () => {
    const running = world.start(["--input-format", "stream-json"]);
    for (const n of [1, 2]) {
      running.send({ type: "user_message", text: "hi" });
      await running.line("finish", n);
    }
    running.child.stdin.end();
    const { lines } = await running.end();
    const told = lines.filter(({ type, code }) => type === "error" && code === "agent_file");
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toMatch(/broken\.ts: .*id: must be lower-case.*model: /);
  });
});

describe("a service that cannot be reached", () => {
  it("is named with its address and the attempt, then with how many there were", async () => {
    const { code, lines } = await world.run(["--stream-json", "hi"], {
      env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" },
    });
    expect(code).toBe(1);
    const messages = lines.flatMap(({ type, message }) => (type === "error" ? [String(message)] : []));
    expect(messages.join("\n")).toContain("(http://127.0.0.1:9, attempt 1 of 4, again in 2 s)");
    expect(messages.at(-1)).toContain("(http://127.0.0.1:9, 4 attempts)");
  }, 60_000);
});
