/** The client as a program of another runtime has it. */
import { SandboxDaemon } from "@muster/client";

const [endpoint, token, directory] = process.argv.slice(2);
const reconnect = { attempts: 50, firstDelayMs: 1, maxDelayMs: 200 };
const daemon = SandboxDaemon.connect({ endpoint, token, reconnect });
const session = daemon.session("bun", { agent: "mock", directory });
session.onPermission(() => "once");
const allowed = await session.ask("permission ls");
const sequences = [];
for await (const { sequence } of session.prompt("burst 500")) sequences.push(sequence);
const lost = sequences.filter((sequence, index) => sequence !== sequences[0] + index).length;
const code = await daemon.client.sessions.get({ sessionId: "nobody" }).catch((error) => error.code);
await daemon.close();
process.stdout.write(JSON.stringify({ allowed, lost, code }));
