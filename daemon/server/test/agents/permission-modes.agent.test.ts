import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PermissionMode } from "@muster/schema";
import { describe, expect } from "vitest";
import { AgentHome } from "./agent-home.ts";
import { everyAgent } from "./every-agent.ts";
import type { TestedAgent } from "./installed-agent.ts";

/** Mode → what a person is asked about an edit and a command, one after the other, and whether they are done. */
const modes: Readonly<Record<PermissionMode, { asks: string[]; isDone: boolean }>> = {
  default: { asks: ["edit", "execute"], isDone: true },
  acceptEdits: { asks: ["execute"], isDone: true },
  plan: { asks: [], isDone: false },
  bypass: { asks: [], isDone: true },
};

describe.each(Object.keys(everyAgent) as TestedAgent[])("%s", async (agent) => {
  const { settings, script } = everyAgent[agent];
  const home = new AgentHome(agent, settings);
  const test = await home.forFile();

  test.each(Object.keys(modes) as PermissionMode[])("permission mode %s", async (permissionMode) => {
    const { body } = await home.daemon.api.request<{ capabilities: { permissionModes: string[] } }>(
      "GET",
      `/agents/${agent}`,
    );
    // What it does not have is refused: unsupported-options.test.ts.
    if (!body.capabilities.permissionModes.includes(permissionMode)) return;
    const directory = await home.directory();
    const made = join(directory, "made.txt");
    const ran = join(directory, "ran.txt");
    const turns = [
      { tools: [{ name: "write_file", input: { path: made, content: "a heron\n" } }] },
      // Not one that only handles files: Claude counts those among edits.
      {
        tools: [{ name: "run_command", input: { command: `${process.execPath} -e "fs.writeFileSync('${ran}', '')"` } }],
      },
      { text: "That is all.", times: "always" as const },
    ];
    const conversations = [...(script?.conversations ?? []), { match: { user: "go" }, turns }, { turns: asides }];
    const session = await home.beginWith({ routes: script?.routes, conversations }, { directory, permissionMode });
    const { asks, isDone } = modes[permissionMode];
    const { messageId } = await session.talk.send("go");
    let after = 0;
    for (const action of asks) {
      const { data, sequence } = await session.talk.until("permission.requested", () => true, after);
      expect(data.action).toBe(action);
      await home.reply(session, data.permissionId, "once");
      after = sequence;
    }
    const turn = await session.talk.turnOf(messageId);
    expect(turn.end.status).toBe("completed");
    expect(turn.of("permission.resolved").filter(({ by }) => by === "user")).toHaveLength(asks.length);
    expect([existsSync(made), existsSync(ran)]).toEqual([isDone, isDone]);
    await home.finish(session);
  });
});

/** Titles and the like. */
const asides = [{ text: "A title", times: "always" as const }];
