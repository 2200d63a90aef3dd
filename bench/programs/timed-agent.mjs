/**
 * A real agent, with the time noted at which it was started and at which it was spoken to and said something:
 * `timed-agent.mjs <program> <file> [arguments]`. An agent that serves HTTP is spoken to through a port of ours.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { connect, createServer } from "node:net";

const [program, file, ...args] = process.argv.slice(2);
const isServer = args[0] === "serve";
const asked = args.indexOf("--port") + 1;
const ownPort = isServer ? Number(args[asked]) : undefined;

note("start", performance.timeOrigin);
if (isServer) args[asked] = String(await freePort());
const agent = spawn(program, args, { stdio: [isServer ? "ignore" : "pipe", "pipe", "inherit"] });
agent.once("exit", (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
process.once("SIGTERM", () => agent.kill("SIGTERM"));
if (isServer) agent.stdout.on("data", announce);
else {
  pass(process.stdin, agent.stdin, "in");
  pass(agent.stdout, process.stdout, "out");
}

function pass(from, to, direction) {
  from.on("data", (chunk) => {
    note(direction);
    to.write(chunk);
  });
  from.once("end", () => to.end());
  to.on("error", () => from.destroy());
}

function announce(chunk) {
  const said = String(chunk);
  const port = /listening on http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
  if (port === undefined) return;
  const server = createServer((client) => {
    const inner = connect(Number(port), "127.0.0.1");
    for (const socket of [client, inner]) socket.setNoDelay(true).on("error", () => socket.destroy());
    pass(client, inner, "in");
    pass(inner, client, "out");
  });
  server.listen(ownPort, "127.0.0.1", () => {
    note("out");
    process.stdout.write(said.replace(port, String(ownPort)));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function note(what, at = performance.timeOrigin + performance.now()) {
  appendFileSync(file, `${JSON.stringify({ what, at })}\n`);
}
