import { describe, expect, it } from "vitest";
import { openScreen } from "./screen-world.ts";
import { expectScreen } from "./screens.ts";

describe("the first screen", () => {
  it("says which key and model a prompt will use, until there is one", async () => {
    const world = await openScreen();
    await world.shows(/anthropic\/claude-sonnet-4\.6 with the key in ANTHROPIC_API_KEY, at 127\.0\.0\.1:\d+/);
    await expectScreen(world, "first");
    world.enter("hello");
    await world.said("Hello.");
    await world.idle();
    expect((await world.terminal.everything()).join("\n")).not.toContain("by the key in");
  });

  it("says how to get a key where there is none, before anything was asked", async () => {
    const world = await openScreen({ env: { ANTHROPIC_API_KEY: "" }, columns: 60 });
    await world.shows("There is no key yet. Three ways to begin:");
    await expectScreen(world, "first-no-key");
    expect(world.llm.requests()).toEqual([]);
  });

  it("names the service of the configuration", async () => {
    const world = await openScreen({
      config: {
        provider: "mine",
        providers: { mine: { type: "openai-compatible", baseUrl: "http://127.0.0.1:9", model: "one" } },
      },
    });
    await world.shows("mine/one with mine of your config.json, at 127.0.0.1:9");
  });
});
