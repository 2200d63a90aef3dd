/** Stands for a daemon that is killed: starts an agent that started a process of its own, says so, and waits. */
import { startProcess } from "../dist/process/supervised-process.js";

const [livesDirectory, directory] = process.argv.slice(2);
const host = { env: process.env, livesDirectory, log: () => {} };
const script = `const c = require("child_process").spawn("sleep", ["3600"], { detached: true, stdio: "ignore" });
  c.unref(); console.log(c.pid); process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);`;
const agent = await startProcess(host, {
  agent: "test",
  sessionId: "s1",
  command: process.execPath,
  args: ["-e", script],
  directory,
  env: {},
});
agent.output.read((chunk) => process.stdout.write(`${agent.pid} ${chunk}`));
