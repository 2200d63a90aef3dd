// Two agents at work at the same time. npm run example 07 ts
import { SandboxDaemon } from "@muster/client";

const { SANDBOX_DAEMON_ENDPOINT: endpoint = "http://127.0.0.1:2468", SANDBOX_DAEMON_TOKEN: token } = process.env;
const daemon = SandboxDaemon.connect({ endpoint, token });
const [first = "mock", second = "mock"] = (process.env.AGENTS ?? "mock,mock").split(",");

const one = daemon.session(`one-${Date.now()}`, { agent: first });
const two = daemon.session(`two-${Date.now()}`, { agent: second });
const answers = await Promise.all([one.ask("echo one"), two.ask("echo two")]);
console.log(answers.join("\n"));
