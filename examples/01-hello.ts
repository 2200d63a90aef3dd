// One question, one answer. npm run example 01 ts
import { SandboxDaemon } from "@muster/client";

const { SANDBOX_DAEMON_ENDPOINT: endpoint = "http://127.0.0.1:2468", SANDBOX_DAEMON_TOKEN: token } = process.env;
const daemon = SandboxDaemon.connect({ endpoint, token });
const session = daemon.session(`hello-${Date.now()}`, { agent: process.env.AGENT ?? "mock" });

console.log(await session.ask("echo Hello"));
