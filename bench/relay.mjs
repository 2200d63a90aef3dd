/** The bare relay with the same agent, and its two calls. */
import { fileURLToPath } from "node:url";
import { programs, scratchFolder, startServer } from "./processes.mjs";

const mockAgent = fileURLToPath(new URL("../daemon/adapters/dist/mock/bundle/mock-agent.cjs", import.meta.url));

export async function startRelay() {
  const server = await startServer([programs.bareRelay, mockAgent, await scratchFolder()]);
  const post = async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: "POST", body: body ?? "" });
    await response.text();
  };
  return {
    ...server,
    /** Replaces the agent by a new one. */
    startAgent: () => post("/start"),
    prompt: (text) => post("/prompt", text),
  };
}

/** What the last line of a turn has in it. */
export const turnShut = '"ev":"turn_shut"';
