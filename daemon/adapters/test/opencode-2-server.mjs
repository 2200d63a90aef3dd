#!/usr/bin/env node
// Stands in for OpenCode 2: its calls over HTTP behind Basic authentication, and a recorded life as what it says. A prompt
// lets the recording go on to where it waits for a person, a reply from there. It keeps what it was asked.
import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [command, ...args] = process.argv.slice(2);
if (command === "--version") {
  process.stdout.write("2.0.18\n");
  process.exit();
}
const home = dirname(fileURLToPath(import.meta.url));
const { recording, asked } = JSON.parse(readFileSync(join(home, "life.json"), "utf8"));
const rest = readFileSync(recording, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .flatMap(({ line }) => (line === undefined ? [] : [JSON.parse(line)]));
const session = rest[0].data.sessionID;
const password = process.env.OPENCODE_PASSWORD;
const allowed = `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`;
const pending = { permission: [], form: [] };
let stream;

/** Says what was recorded up to the next request, or the end of the execution. */
function goOn() {
  for (let event = rest.shift(); event !== undefined; event = rest.shift()) {
    stream.write(`data: ${JSON.stringify(event)}\n\n`);
    if (event.type === "permission.asked") return void pending.permission.push(event.data);
    if (event.type === "form.created") return void pending.form.push(event.data.form);
    if (event.type.startsWith("session.execution.") && event.type !== "session.execution.started") return;
  }
}

const model = { id: "m1", providerID: "scripted", enabled: true, limit: { context: 128_000 }, variants: [] };
const permissions = [{ action: "*", resource: "*", effect: "ask" }];
const answers = {
  "GET /api/health": () => ({ healthy: true, version: "2.0.18" }),
  "GET /api/model": () => ({ data: [model] }),
  "GET /api/model/default": () => ({ data: model }),
  "GET /api/agent": () => ({ data: [{ id: "build", mode: "primary", hidden: false, permissions }] }),
  "GET /api/permission/request": () => ({ data: pending.permission }),
  "GET /api/form/request": () => ({ data: pending.form }),
  "POST /api/session": () => ({ data: { id: session } }),
  [`POST /api/session/${session}/prompt`]: () => ({ data: {} }),
  [`POST /api/session/${session}/model`]: () => undefined,
  [`POST /api/session/${session}/interrupt`]: () => undefined,
};

const server = createServer(async (request, response) => {
  if (request.headers.authorization !== allowed) return response.writeHead(401).end();
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  let body = "";
  for await (const piece of request) body += piece;
  appendFileSync(
    asked,
    `${JSON.stringify({ call: `${request.method} ${pathname}`, at: searchParams.get("location[directory]"), body: body && JSON.parse(body) })}\n`,
  );
  if (pathname === "/api/event") {
    stream = response.writeHead(200, { "content-type": "text/event-stream" });
    return stream.write(`data: ${JSON.stringify({ id: "evt_0", type: "server.connected", data: {} })}\n\n`);
  }
  const reply = /\/(permission|form)\/([^/]+)\/reply$/.exec(pathname);
  if (reply !== null) pending[reply[1]] = pending[reply[1]].filter(({ id }) => id !== reply[2]);
  const answer = reply === null ? answers[`${request.method} ${pathname}`] : () => undefined;
  if (answer === undefined) return response.writeHead(404, { "content-type": "application/json" }).end("{}");
  const value = answer();
  if (value === undefined) response.writeHead(204).end();
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (reply !== null || pathname.endsWith("/prompt")) goOn();
});
const port = Number(args[args.indexOf("--port") + 1]);
server.listen(port, "127.0.0.1", () => process.stdout.write(`server listening on http://127.0.0.1:${port}\n`));
