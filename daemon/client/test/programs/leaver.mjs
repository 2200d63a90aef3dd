/** Starts a daemon, tells its pid, and does not close it: `leave` ends by itself, `stay` waits to be killed. */
import { spawn } from "@muster/client/node";

const [how, dataDirectory, ...command] = process.argv.slice(2);
const { pid } = await spawn({ command, dataDirectory });
process.stdout.write(`${pid}\n`);
if (how === "stay") setInterval(() => {}, 1_000);
