/**
 * What an agent's output costs without us: child stdout → lines → JSON.parse → JSON.stringify → one HTTP response, no
 * log. It joins the lines of one read to one write, as we do. `bare-relay.mjs <program of the mock agent> <folder>`:
 * POST /start a new agent, answered when it is ready · POST /prompt (the text) · GET /stream the response.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const [agentProgram, folder] = process.argv.slice(2);
let agent;
let reader;
let sent = 0;
let agents = 0;

const routes = {
  async "POST /start"(_, response) {
    agent?.kill();
    agents++;
    agent = startAgent();
    await agent.ready;
    response.end();
  },
  async "POST /prompt"(request, response) {
    const line = { do: "prompt", id: `m${++sent}`, text: await text(request), files: [] };
    agent.stdin.write(`${JSON.stringify(line)}\n`);
    response.end();
  },
  "GET /stream"(_, response) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    reader = response;
  },
};

const server = createServer((request, response) => {
  const route = routes[`${request.method} ${request.url}`];
  if (route) void route(request, response);
  else response.writeHead(404).end();
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listens on http://127.0.0.1:${server.address().port}\n`);
});
process.stdin.once("end", leave).resume();
process.once("SIGTERM", leave);

function startAgent() {
  const settings = { conversation: `bench_${agents}`, resume: false, directory: folder, memory: folder };
  const args = [agentProgram, JSON.stringify({ ...settings, model: "mock-1", guard: "default" })];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  child.ready = new Promise((resolve) => child.stdout.once("data", resolve));
  let rest = "";
  let sequence = 0;
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    const frames = lines.map((line) => `id: ${++sequence}\ndata: ${JSON.stringify(JSON.parse(line))}\n\n`);
    if (!reader || frames.length === 0 || reader.destroyed) return;
    if (reader.write(frames.join(""))) return;
    child.stdout.pause();
    reader.once("drain", () => child.stdout.resume());
  });
  return child;
}

function leave() {
  agent?.kill();
  process.exit(0);
}
