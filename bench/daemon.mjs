/** A real daemon, started as a user starts it, and the few calls the benches make. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { scratchFolder, startServer } from "./processes.mjs";

/** The checkout whose daemon is measured, and what Node is told besides. */
const here = { root: fileURLToPath(new URL("..", import.meta.url)), nodeArgs: [] };
const turnMs = 300_000;

/**
 * @param {{ dataDir?: string, profile?: string | undefined, env?: NodeJS.ProcessEnv, args?: string[],
 *   build?: import("./against/compare.mjs").Build }} options
 */
export async function startDaemon({ dataDir, profile, env, args = [], build = here } = {}) {
  const data = dataDir ?? (await scratchFolder());
  const profiled = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const served = ["--port", "0", "--no-token", "--log-level", "warn", "--data-dir", data, ...args];
  const command = join(build.root, "daemon/cli/bin/sandbox-daemon.cjs");
  const server = await startServer([...profiled, ...build.nodeArgs, command, ...served], env);
  return { ...server, data, ...client(server.port) };
}

function client(port) {
  const call = async (method, path, body) => {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...init });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} → ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const session = (sessionId) => call("GET", `/sessions/${sessionId}`);
  return {
    call,
    session,
    create: (sessionId) => call("POST", `/sessions/${sessionId}`, { agent: "mock" }),
    /** One turn, its events read to the end. */
    async stream(sessionId, message) {
      const init = {
        method: "POST",
        body: JSON.stringify({ message }),
        headers: { "content-type": "application/json" },
      };
      const response = await fetch(`http://127.0.0.1:${port}/sessions/${sessionId}/messages/stream`, init);
      const text = await response.text();
      if (!text.includes(turnEnded)) throw new Error(`The turn of ${sessionId} did not end: ${text}`);
    },
    send: (sessionId, message) => call("POST", `/sessions/${sessionId}/messages`, { message }),
    /** Where a reader of everything that comes from now on begins. */
    async streamPath(sessionId) {
      return `/sessions/${sessionId}/events/sse?offset=${(await session(sessionId)).lastSequence}`;
    },
    /** The frames after a sequence up to the newest, as they are sent. */
    async frames(sessionId, after) {
      const { lastSequence } = await session(sessionId);
      const stopped = new AbortController();
      const url = `http://127.0.0.1:${port}/sessions/${sessionId}/events/sse?offset=${after}`;
      const { body } = await fetch(url, { signal: stopped.signal });
      const chunks = [];
      for await (const chunk of body) {
        chunks.push(chunk);
        const end = Buffer.concat(chunks.slice(-2));
        if (end.includes(inEvent(lastSequence)) && end.subarray(-2).toString() === "\n\n") break;
      }
      stopped.abort();
      return { bytes: Buffer.concat(chunks), last: lastSequence };
    },
    /** Waits for the end of a turn that nobody reads. */
    async idle(sessionId) {
      for (const end = Date.now() + turnMs; Date.now() < end; await sleep(50)) {
        const { state, queued } = await session(sessionId);
        if (state === "idle" && queued === 0) return;
      }
      throw new Error(`The turn of ${sessionId} did not end within ${turnMs} ms`);
    },
  };
}

/** What the last event of a turn has in it. */
export const turnEnded = '"type":"turn.ended"';

/** What only the event with this number has in it. */
export function inEvent(sequence) {
  return `{"sequence":${sequence},`;
}
