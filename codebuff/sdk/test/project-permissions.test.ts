import { execFileSync } from "node:child_process";
import { chown, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CodebuffClient,
  listRules,
  loadSkills,
  readTrustItems,
  rulesKeeper,
  Trust,
  type TrustRequest,
} from "../src/index.ts";
import { call, resultOf, runWorld } from "./run-world.ts";

const build = call("run_terminal_command", { command: "make build" });
const turns = [{ tools: [build] }, { text: "ok" }];
const rules = (...given: object[]) => JSON.stringify({ rules: given });
const allowBuild = { effect: "allow", command: "make build" };
const makefile = { Makefile: "build:\n\t@echo built\n" };
const file = ".codebuff/permissions.json";

/** A run with nobody to ask under a policy that asks for commands: whether `make build` ran, and what the run warned of. */
async function ranBuild(
  files: Record<string, string>,
  prepare?: (world: Awaited<ReturnType<typeof runWorld>>) => Promise<void>,
) {
  const world = await runWorld(turns, { files: { ...makefile, ...files }, options: { permissions: "default" } });
  await prepare?.(world);
  await world.run();
  const result = JSON.stringify(resultOf(world.events, "run_terminal_command"));
  const warnings = world.events.flatMap((event) => (event.type === "error" ? [event.message] : []));
  return { ran: result.includes("built"), warnings: warnings.join("\n"), world };
}

describe("a project that grants itself something", () => {
  it.each([
    ["by rules of its own", { [file]: rules(allowBuild) }],
    ["by codebuff.json", { "codebuff.json": JSON.stringify({ permissions: { rules: [allowBuild] } }) }],
    ["by a policy in codebuff.json", { "codebuff.json": JSON.stringify({ permissions: { mode: "allow" } }) }],
    ["by a policy in its rules", { [file]: JSON.stringify({ mode: "allow", rules: [allowBuild] }) }],
    ["by a wider rule", { [file]: rules({ effect: "allow", command: "make *" }) }],
  ])("%s is not heard, and the run says so", async (_, files) => {
    const { ran, warnings } = await ranBuild(files as Record<string, string>);
    expect(ran).toBe(false);
    expect(warnings).toMatch(/codebuff trust|is no setting|would allow everything/);
  });

  it("is heard once it was accepted, and not when its rules have changed since", async () => {
    const accept = async ({ home, cwd }: { home: string; cwd: string }) =>
      new Trust({ home, root: cwd }).accept(await readTrustItems(cwd, home));
    expect((await ranBuild({ [file]: rules(allowBuild) }, accept)).ran).toBe(true);
    const changed = await ranBuild({ [file]: rules({ effect: "allow", command: "make other" }) }, async (world) => {
      await accept(world);
      await writeFile(join(world.cwd, file), rules(allowBuild));
    });
    expect(changed.ran).toBe(false);
  });

  it("may deny and ask without being trusted", async () => {
    const everywhere = async ({ home }: { home: string }) => {
      await mkdir(join(home, ".codebuff"), { recursive: true });
      await writeFile(join(home, ".codebuff", "config.json"), JSON.stringify({ permissions: { rules: [allowBuild] } }));
    };
    expect((await ranBuild({}, everywhere)).ran).toBe(true);
    expect((await ranBuild({ [file]: rules({ effect: "deny", command: "make *" }) }, everywhere)).ran).toBe(false);
  });

  it("an agent that writes the rules itself has granted itself nothing", async () => {
    const own = call("write_file", { path: file, instructions: "x", content: rules(allowBuild) });
    const world = await runWorld(
      [{ tools: [own] }, { tools: [build] }, { text: "ok" }, { tools: [build] }, { text: "ok" }],
      {
        files: makefile,
        options: { permissions: "accept-edits" },
      },
    );
    await world.run();
    await world.run();
    expect(JSON.parse(await readFile(join(world.cwd, file), "utf8"))).toEqual({ rules: [allowBuild] });
    expect(JSON.stringify(world.events.filter(({ type }) => type === "tool_result"))).not.toContain("built");
  });
});

describe("a file of rules that is not what it seems", () => {
  const trusted = async (world: { home: string; cwd: string }) =>
    new Trust({ home: world.home, root: world.cwd }).accept([
      { kind: "rule", path: join(world.cwd, file), content: JSON.stringify(allowBuild) },
    ]);
  const inPlace = async (world: { cwd: string }) => {
    await mkdir(dirname(join(world.cwd, file)), { recursive: true });
    return join(world.cwd, file);
  };
  it.each<[string, string, (world: { home: string; cwd: string }) => Promise<void>]>([
    [
      "a link",
      "it is a link",
      async (world) => {
        await writeFile(join(world.home, "rules.json"), rules(allowBuild));
        await symlink(join(world.home, "rules.json"), await inPlace(world));
      },
    ],
    [
      "a link in the place of its directory",
      "its directory is a link",
      async (world) => {
        await mkdir(join(world.home, "elsewhere"));
        await writeFile(join(world.home, "elsewhere", "permissions.json"), rules(allowBuild));
        await symlink(join(world.home, "elsewhere"), join(world.cwd, ".codebuff"));
      },
    ],
    [
      "no JSON",
      "line 1: the file is not valid JSON",
      async (world) => writeFile(await inPlace(world), `${rules(allowBuild)} }`),
    ],
    [
      "a megabyte",
      "larger than 256 KiB",
      async (world) =>
        writeFile(
          await inPlace(world),
          rules(
            allowBuild,
            ...Array.from({ length: 20_000 }, (_, n) => ({ effect: "deny", command: `echo ${n} ${"x".repeat(20)}` })),
          ),
        ),
    ],
    [
      "of another user",
      "it belongs to another user",
      async (world) => {
        await writeFile(await inPlace(world), rules(allowBuild));
        await chown(join(world.cwd, file), 12_345, 12_345);
      },
    ],
    ["a directory", "it is no regular file", async (world) => void (await mkdir(await inPlace(world)))],
    [
      "with a rule that cannot be meant",
      "may only be the last word",
      async (world) => writeFile(await inPlace(world), rules(allowBuild, { effect: "allow", command: "* build" })),
    ],
  ])("%s opens nothing, and the run says why", async (what, why, prepare) => {
    if (what === "of another user" && process.getuid?.() !== 0) return;
    const { ran, warnings } = await ranBuild({}, async (world) => {
      await trusted(world);
      await prepare(world);
    });
    expect([ran, warnings]).toEqual([false, expect.stringContaining(why)]);
  });

  it("the same file as it should be opens what was accepted", async () => {
    const { ran } = await ranBuild({ [file]: rules(allowBuild) }, trusted);
    expect(ran).toBe(true);
  });

  it("is not written through: an answer for this project then lasts a session, and the run says so", async () => {
    const world = await runWorld(turns, {
      files: makefile,
      options: { permissions: "default", ask: async () => ({ decision: "always", scope: "project" }) },
    });
    const target = join(world.home, "target.json");
    await writeFile(target, "{}");
    await mkdir(join(world.cwd, ".codebuff"));
    await symlink(target, join(world.cwd, file));
    await world.run();
    expect(JSON.stringify(resultOf(world.events, "run_terminal_command"))).toContain("built");
    expect(await readFile(target, "utf8")).toBe("{}");
    expect(world.events).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("for this session only") }),
    );
  });
});

describe("an answer that lasts", () => {
  it.each(["project", "everywhere"] as const)(
    "for %s holds in the next process, and is listed and asked for once",
    async (scope) => {
      const asked: unknown[] = [];
      const ask = async ({ permission }: { permission?: unknown }) => {
        asked.push(permission);
        return { decision: "always", scope };
      };
      const world = await runWorld([...turns, ...turns], { files: makefile, options: { permissions: "default", ask } });
      await world.run();
      expect(asked).toMatchObject([{ command: "make build", rules: [{ effect: "allow", command: "make build *" }] }]);
      const { cwd: root, home } = world;
      const later = new CodebuffClient({ ...world.client.options, ask: async () => ({ decision: "deny" }) });
      await later.run({ agent: "tester", prompt: "go" });
      await later.close();
      expect(JSON.stringify(resultOf(world.events, "run_terminal_command", 1))).toContain("built");
      const listed = await listRules({ root, home, trust: new Trust({ home, root }), warn: () => undefined });
      expect(listed).toMatchObject([{ rule: { command: "make build *" }, scope, holds: true }]);
    },
  );

  it("two answers at once both stand in the file, and neither twice", async () => {
    const world = await runWorld([{ text: "ok" }]);
    const { cwd: root, home } = world;
    const keep = rulesKeeper({ root, home, trust: new Trust({ home, root }) });
    const one = { effect: "allow", command: "make a" } as const;
    const two = { effect: "allow", command: "make b" } as const;
    await Promise.all([keep([one], "project"), keep([two], "project"), keep([one], "project")]);
    expect(JSON.parse(await readFile(join(root, file), "utf8"))).toEqual({ rules: [one, two] });
  });
});

describe("trust", () => {
  const files = {
    ".agents/helper.ts": `export default { id: "helper", displayName: "H", model: "anthropic/claude-haiku-4.5" }`,
    ".agents/mcp.json": '{ "mcpServers": {} }',
    ".agents/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: T\n---\nSweep.",
    "codebuff.json": JSON.stringify({ fileChangeHooks: [{ name: "lint", command: "true" }] }),
    [file]: rules(allowBuild),
  };

  it("asks one question for agents, servers, skills, hooks and rules, and again only for what changed", async () => {
    const requests: TrustRequest[] = [];
    const trust = (request: TrustRequest) => requests.push(request) > 0;
    const world = await runWorld([{ text: "ok", times: "always" }], { files, options: { trust } });
    await world.run();
    await world.run();
    expect(requests.map(({ items }) => items.map(({ kind }) => kind))).toEqual([
      ["agent", "mcp", "project config", "skill", "rule"],
    ]);
    const skill = join(world.cwd, ".agents/skills/tidy/SKILL.md");
    await writeFile(skill, (await readFile(skill, "utf8")).replace("Sweep", "Burn"));
    await world.run();
    expect(requests[1]?.items).toMatchObject([
      { kind: "skill", change: "changed", before: expect.stringContaining("Sweep") },
    ]);
  });

  it("is asked for skills of a project in a hidden directory of the home directory too", async () => {
    const skill = { ".agents/skills/tidy/SKILL.md": files[".agents/skills/tidy/SKILL.md"] };
    const { home } = await runWorld([{ text: "ok" }]);
    for (const folder of [".work/project", ".agents/skills", ".x"]) {
      const cwd = join(home, folder);
      for (const [path, text] of Object.entries(skill)) {
        await mkdir(dirname(join(cwd, path)), { recursive: true });
        await writeFile(join(cwd, path), text);
      }
      expect(Object.keys(await loadSkills({ cwd, home, trust: new Trust({ home, root: cwd }) }))).toEqual([]);
    }
  });

  it.each([".agents/skills/tidy/SKILL.md", ".agents/mcp.json"])(
    "does not wait for a pipe in place of %s",
    async (path) => {
      const world = await runWorld([{ text: "ok" }]);
      await mkdir(dirname(join(world.cwd, path)), { recursive: true });
      execFileSync("mkfifo", [join(world.cwd, path)]);
      expect(await world.run()).toMatchObject({ output: { type: expect.not.stringMatching("error") } });
    },
  );

  it("is one question also where agents are only listed", async () => {
    let asked = 0;
    const trust = () => {
      asked += 1;
      return false;
    };
    const world = await runWorld([{ text: "ok" }], {
      files: { ...files, ".agents/other.ts": files[".agents/helper.ts"] },
      options: { trust },
    });
    expect((await world.client.listAgents()).some(({ id }) => id === "helper")).toBe(false);
    expect(asked).toBe(1);
  });

  it("for this run is kept nowhere", async () => {
    let asked = 0;
    const trust = () => {
      asked += 1;
      return "this run" as const;
    };
    const world = await runWorld([{ tools: [build] }, { text: "ok" }, { text: "ok", times: "always" }], {
      files: { ...files, ...makefile },
      options: { trust, permissions: "default" },
    });
    await world.run();
    expect(JSON.stringify(resultOf(world.events, "run_terminal_command"))).toContain("built");
    await world.run();
    expect(asked).toBe(2);
    await expect(readFile(join(world.home, ".codebuff", "trust.json"))).rejects.toThrow();
  });

  it("of one project is not that of another with the same content", async () => {
    const [one, two] = [await runWorld([{ text: "ok" }], { files }), await runWorld([{ text: "ok" }], { files })];
    await new Trust({ home: one.home, root: one.cwd }).accept(await readTrustItems(one.cwd, one.home));
    const untrusted = (cwd: string) =>
      readTrustItems(cwd, one.home).then((items) => new Trust({ home: one.home, root: cwd }).untrusted(items));
    expect([(await untrusted(one.cwd)).length, (await untrusted(two.cwd)).length]).toEqual([0, 5]);
    await rm(join(one.home, ".codebuff", "trust.json"));
    expect((await untrusted(one.cwd)).length).toBe(5);
  });
});
