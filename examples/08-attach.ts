// A second client, which knows only the id, answers what the first one asked for. npm run example 08 ts
import { SandboxDaemon } from "@muster/client";

const { SANDBOX_DAEMON_ENDPOINT: endpoint = "http://127.0.0.1:2468", SANDBOX_DAEMON_TOKEN: token } = process.env;
const id = `attach-${Date.now()}`;

const first = SandboxDaemon.connect({ endpoint, token }).session(id, { agent: process.env.AGENT ?? "mock" });
const turn = first.prompt("permission touch a");
await turn.sent;

const second = SandboxDaemon.connect({ endpoint, token });
for await (const event of second.session(id).events()) {
  if (event.type !== "permission.requested") continue;
  console.log(`the second client allows: ${event.data.title}`);
  const { permissionId } = event.data;
  await second.client.sessions.replyPermission({ sessionId: id, permissionId, reply: "once" });
  break;
}
console.log(`the first client hears: ${await turn.text()}`);
