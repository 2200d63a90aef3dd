import { describe, expect, it } from "vitest";

// By address: the scripts have no types.
const script = (name: string) => import(new URL(`../scripts/${name}`, import.meta.url).href);
interface TestFile {
  file: string;
  lane: string;
}
const { lanes, testFiles }: { lanes: { name: string; isUsual: boolean }[]; testFiles(): TestFile[] } =
  await script("lanes.mjs");
const { usedBy }: { usedBy(file: string): { files: Set<string>; modules: Set<string> } } =
  await script("lanes/imports.mjs");
const { chaosFiles }: { chaosFiles(): string[] } = await script("lanes/chaos-files.mjs");
const { needs, needsOf }: { needs: Record<string, string>; needsOf(files: string[]): string[] } =
  await script("lanes/needs.mjs");
const { isCovered }: { isCovered(path: string): boolean } = await script("lanes/release-due.mjs");

const filesOf = (lane: string) => testFiles().flatMap((one) => (one.lane === lane ? [one.file] : []));

describe("the lanes of the tests", () => {
  it("are all in use, and hold every file once", () => {
    for (const { name } of lanes) expect([name, filesOf(name).length > 0]).toEqual([name, true]);
    const files = testFiles().map(({ file }) => file);
    expect(new Set(files).size).toBe(files.length);
  });

  it("take a file that starts nothing for unit, and one whose helper starts a process for rooms", () => {
    const laneOf = (path: string) => testFiles().find(({ file }) => file === path)?.lane;
    expect(laneOf("test/house/house.test.ts")).toBe("unit");
    expect(laneOf("test/house/places.test.ts")).toBe("rooms");
    expect(laneOf("daemon/server/test/api/burst.test.ts")).toBe("rooms");
  });

  it("have a round of each agent, and the failures that are the same for all", async () => {
    const { everyAgent } = await import("../daemon/server/test/agents/every-agent.ts");
    const names = Object.keys(everyAgent).sort();
    const agentsWith = (lane: string, suffix: string) =>
      filesOf(lane)
        .flatMap((file) => (file.endsWith(suffix) ? [file.slice(file.lastIndexOf("/") + 1, -suffix.length)] : []))
        .sort();
    // The gateway has a round of its own, of all agents behind it.
    expect(agentsWith("round", "-contract.agent.test.ts")).toEqual([...names, "gateway-keys"].sort());
    expect(agentsWith("agents", "-same-failures.agent.test.ts")).toEqual(names);
  });

  it("know what a file needs of the machine", () => {
    const used = new Set(testFiles().flatMap(({ file }) => [...usedBy(file).files]));
    expect(Object.values(needs).filter((helper) => !used.has(helper))).toEqual([]);
    expect(needsOf(filesOf("unit"))).toEqual([]);
    expect(needsOf(filesOf("round"))).toEqual(["agents"]);
  });

  it("run releases for what is packed, and not for a room behind it", () => {
    const covered = [
      "package-lock.json",
      "daemon/cli/bin/sandbox-daemon.cjs",
      "scripts/bundle/bundle.mjs",
      "python/muster/x.py",
    ];
    expect(covered.filter((path) => !isCovered(path))).toEqual([]);
    expect(["docs/house.md", "daemon/engine/src/engine.ts", "test/lanes.test.ts"].filter(isCovered)).toEqual([]);
  });
});

it("npm run chaos runs files that exist, each once, with those that have a long form among them", () => {
  const files = chaosFiles();
  expect(files.filter((file) => !testFiles().some((one) => one.file === file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
  expect(files).toEqual(
    expect.arrayContaining(["daemon/log/src/damage.test.ts", "daemon/server/test/lives/shutdown.test.ts"]),
  );
});
