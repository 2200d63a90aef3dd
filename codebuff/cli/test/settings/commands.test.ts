import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, type World } from "../command.ts";

const build = { name: "run_terminal_command", native: true, input: { command: "make build" } };
const skill = "---\nname: tidy\ndescription: Tidies\n---\nSweep.";
let world: World;
beforeAll(async () => {
  world = await openWorld(
    { conversations: [{ each: "prompt", turns: [{ tools: [build] }, { text: "Done." }] }] },
    {
      Makefile: "build:\n\t@echo built\n",
      ".codebuff/permissions.json": JSON.stringify({ rules: [{ effect: "allow", command: "make build" }] }),
      ".agents/skills/tidy/SKILL.md": skill,
      "codebuff.json": '{ "mode": "free" }',
      "~/.codebuff/config.json":
        '{\n  // mine\n  "mode": "max",\n  "model": "anthropic/claude-opus-4.6",\n  "apiKey": ""\n}\n',
    },
  );
});
afterAll(() => world.close());

const settingOf = async (key: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  (await world.run(["config", "get", key, ...args], { env })).out.trim();

describe("codebuff config", () => {
  it("lists every setting with its value and where it comes from; what is nearer wins", async () => {
    const { code, out } = await world.run(["config", "--json"], { env: { CODEBUFF_VARIANT: "high" } });
    const listed = new Map((JSON.parse(out) as { key: string }[]).map((one) => [one.key, one]));
    expect(code).toBe(0);
    expect([...listed.values()]).toEqual(
      expect.arrayContaining([
        { key: "mode", value: "free", source: join(world.project, "codebuff.json") },
        { key: "model", value: "anthropic/claude-opus-4.6", source: join(world.home, ".codebuff", "config.json") },
        { key: "variant", value: "high", source: "CODEBUFF_VARIANT" },
        { key: "theme", value: "auto", source: "default" },
      ]),
    );
    expect(await settingOf("mode", [], { CODEBUFF_MODE: "plan" })).toBe("plan");
    const [start] = (await world.run(["--stream-json", "--max", "--trust", "hi"], { env: { CODEBUFF_MODE: "plan" } }))
      .lines;
    expect(start).toMatchObject({ type: "start", agentId: "base-max" });
  });

  it("set and unset change one key and leave comments; what does not fit changes nothing", async () => {
    const path = join(world.home, ".codebuff", "config.json");
    const before = await readFile(path, "utf8");
    expect(await world.run(["config", "set", "permissions", "bogus"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("takes one of default"),
    });
    expect(await world.run(["config", "set", "modle", "x"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("did you mean model?"),
    });
    expect(await world.run(["config", "set", "theme", "pink"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("auto, dark, light"),
    });
    expect(await world.run(["config", "set", "keys.ctrl+s", "dance"])).toMatchObject({ code: 2 });
    expect(await world.run(["config", "set", "baseAgent", "x"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--project"),
    });
    expect(await world.run(["config", "set", "apiKey", "secret"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("standard input"),
    });
    expect(await readFile(path, "utf8")).toBe(before);
    expect(await world.run(["config", "set", "maxAgentSteps", "7"])).toMatchObject({ code: 0 });
    expect(await world.run(["config", "set", "providers.mine.type", "openai"])).toMatchObject({ code: 0 });
    expect(await readFile(path, "utf8")).toContain("// mine");
    expect(await settingOf("maxAgentSteps")).toBe("7");
    expect(await settingOf("providers")).toBe('{"mine":{"type":"openai"}}');
    await world.run(["config", "unset", "providers"]);
    await world.run(["config", "unset", "maxAgentSteps"]);
    expect(await readFile(path, "utf8")).toBe(before);
  });

  it("a wrong file is told with line and key and ends with 1, a wrong variable ends with 2", async () => {
    expect(await world.run(["config", "set", "--project", "zzz", "1"])).toMatchObject({ code: 2 });
    expect(await world.run(["-n", "hi"], { env: { CODEBUFF_PERMISSIONS: "bogus" } })).toMatchObject({
      code: 2,
      err: expect.stringContaining("CODEBUFF_PERMISSIONS takes one of default"),
    });
    const { code, out } = await world.run(["config", "schema", "permissions", "--json"]);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ type: "object", additionalProperties: false }),
    ]);
  });
});

describe("codebuff trust", () => {
  const results = async (args: readonly string[]) => {
    const { lines } = await world.run(["--stream-json", "--permissions", "default", ...args, "build"]);
    return { text: JSON.stringify(lines), ran: JSON.stringify(lines).includes("built") };
  };

  it("--trust uses what the project brings in one run and keeps nothing; without it the run says how", async () => {
    const untrusted = await results([]);
    expect(untrusted.ran).toBe(false);
    expect(untrusted.text).toContain("run codebuff trust here to accept it, or give --trust");
    expect((await results(["--trust"])).ran).toBe(true);
    expect((await results([])).ran).toBe(false);
  });

  it("asks for --yes where nobody can be asked, shows what it accepts, and takes it back", async () => {
    const refused = await world.run(["trust"]);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("--yes")]);
    expect(refused.out).toContain("new skill .agents/skills/tidy/SKILL.md");
    expect((await world.run(["trust", "--yes"])).out).toContain("Trusted as it is now: 2.");
    expect((await world.run(["trust", "--list"])).out).toMatch(/^trusted {2}skill/m);
    expect((await results([])).ran).toBe(true);
    expect((await world.run(["permissions", "list"])).out).toMatch(/^1 {2}allow command make build {2}project/);
    expect((await world.run(["trust", "--remove"])).out).toContain("is trusted any more");
    expect((await world.run(["permissions"])).out).toContain("not accepted yet: codebuff trust");
    expect((await results([])).ran).toBe(false);
  });

  it("permissions remove takes a rule back by its number", async () => {
    expect(await world.run(["permissions", "remove", "9"])).toMatchObject({ code: 2 });
    expect((await world.run(["permissions", "remove", "1"])).out).toBe("No longer a rule: allow command make build\n");
    expect((await world.run(["permissions"])).out).toContain("There are no rules");
  });
});
