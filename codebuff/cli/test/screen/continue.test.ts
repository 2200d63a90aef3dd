import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SessionStore } from "@muster/codebuff-sdk";
import { describe, expect, it } from "vitest";
import { openScreen, type ScreenWorld } from "./screen-world.ts";

describe("--continue", () => {
  it("a prompt that comes before the session is read waits for it and belongs to it", async () => {
    const world = await leftSession();
    const turns = [{ text: "Two." }, { text: "Three." }];
    const again = await openScreen({ place: world, flags: { continue: true }, turns });
    again.enter("beta prompt");
    again.enter("gamma prompt");
    await again.said("Three.");
    await again.idle();
    const all = await again.terminal.everything();
    const said = all.filter((line) => /^(› \w+ prompt|One\.|Two\.|Three\.)$/.test(line));
    expect(said).toEqual(["› alpha prompt", "One.", "› beta prompt", "Two.", "› gamma prompt", "Three."]);
    expect(JSON.stringify(again.llm.requests()[0]?.body)).toContain("alpha prompt");
    await again.leave();
    expect(await new SessionStore({ cwd: world.project, home: world.home }).list()).toHaveLength(1);
  });

  it("shows the end of a session before its beginning is read", async () => {
    const world = await leftSession();
    const projects = join(world.home, ".codebuff/projects");
    const file = (await readdir(projects, { recursive: true })).find((name) => name.endsWith(".jsonl")) ?? "";
    const [header = "", ...lines] = (await readFile(join(projects, file), "utf8")).split("\n");
    await writeFile(join(projects, file), [header.slice(1), ...lines].join("\n"));
    const again = await openScreen({ place: world, flags: { continue: true } });
    expect(await again.code).not.toBe(0);
    const all = (await again.terminal.everything()).join("\n");
    expect(all).toMatch(/^One\.$[\s\S]*The first line of session s_\w+ cannot be read/m);
  });

  it("is refused while another process writes the session, and shows nothing of it", async () => {
    const world = await leftSession();
    const store = new SessionStore({ cwd: world.project, home: world.home });
    const writer = await store.open((await store.latest()) ?? "");
    const again = await openScreen({ place: world, flags: { continue: true } });
    expect(await again.code).not.toBe(0);
    await writer.close();
    expect((await again.terminal.everything()).join("\n")).not.toContain("One.");
  });
});

async function leftSession(): Promise<ScreenWorld> {
  const world = await openScreen({ turns: [{ text: "One." }] });
  world.enter("alpha prompt");
  await world.said("One.");
  await world.idle();
  await world.leave();
  return world;
}
