import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { filesCalledIn, filesListed, root } from "../../../test/house/walk-files.ts";
import { startTestServer } from "./test-server.ts";

it("a call of a model goes through every file that docs/house.md lists, 34 at most", async () => {
  const server = await startTestServer({ env: { REQUESTS_PER_MINUTE: "1000" } });
  try {
    const person = await server.person("walk@example.com");
    const runId = await server.run(person);
    const chat = async () => {
      const response = await server.chat(person, runId);
      expect(await response.text()).toContain("[DONE]");
      await server.server.service.calls.none();
    };
    await chat();
    const called = await filesCalledIn(chat);
    const listed = filesListed("A call of a model through codebuff-server, file by file");
    expect(listed.length).toBeGreaterThan(25);
    expect(listed.length).toBeLessThanOrEqual(34);
    expect(listed.filter((file) => !called.has(pathToFileURL(join(root, file)).href))).toEqual([]);
  } finally {
    await server.close();
  }
});
