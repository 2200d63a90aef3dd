import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, type World } from "./command.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ conversations: [{ each: "prompt", turns: [{ text: "Seen.", times: "always" }] }] });
});
afterAll(() => world.close());

const lastRequest = () => JSON.stringify(world.llm.requests().at(-1)?.body);

describe("standard input beside a prompt", () => {
  it.each([["-n"], ["--json"]])("goes with it (%s)", async (flag) => {
    const { code } = await world.run([flag, "review this"], { stdin: "-old line\n+new line\n" });
    expect(code).toBe(0);
    expect(lastRequest()).toContain("review this\\n\\n<stdin>\\n-old line\\n+new line\\n</stdin>");
  });

  it("that is empty changes nothing", async () => {
    await world.run(["-n", "hello"], { stdin: "" });
    expect(lastRequest()).not.toContain("<stdin>");
  });

  it("that stays open without a word is left out, and told", async () => {
    const { code, err, out } = await world.start(["-n", "hello"]).end();
    expect({ code, out }).toEqual({ code: 0, out: "Seen.\n" });
    expect(err).toContain("standard input is open and was silent");
  });
});
