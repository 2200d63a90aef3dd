/** Processes and terminals: output through the log beside a bare pipe, a key and its echo, 64 terminals at once. */
import { spawn } from "node:child_process";
import { WebSocket } from "ws";
import { startDaemon } from "../daemon.mjs";
import { median } from "../statistics.mjs";

const megabyte = 1024 * 1024;

export async function run({ report, say, rounds, scale }) {
  const daemon = await startDaemon();
  const url = `http://127.0.0.1:${daemon.port}`;
  try {
    const bytes = scale(128) * megabyte;
    const args = ["-c", String(bytes), "/dev/zero"];
    const [bare, logged] = [[], []];
    for (let round = 0; round < rounds(3); round++) {
      say(`output, round ${round + 1}`);
      bare.push(await timed(() => bareOutput("head", args)));
      logged.push(await timed(() => follow(url, `out${round}`, { command: "head", args })));
    }
    report({
      name: "process: output to a reader, beside a bare pipe",
      value: median(logged) / median(bare),
      unit: "×",
      note: `${Math.round(bytes / megabyte / (median(logged) / 1000))} MB/s against ${Math.round(bytes / megabyte / (median(bare) / 1000))}, through keeper, log and SSE`,
    });
    say("keystrokes");
    const alone = await echoes(url, "alone", rounds(300));
    report({
      name: "terminal: a key and its echo",
      value: median(alone),
      unit: "ms",
      note: "median, over the WebSocket",
    });
    say("64 terminals");
    const { length } = await Promise.all(Array.from({ length: 64 }, (_, index) => start(url, `many${index}`, noisy)));
    const among = await echoes(url, "among", rounds(300));
    report({
      name: `terminal: the same beside ${length} others that write 10 lines a second`,
      value: median(among) / median(alone),
      unit: "×",
      note: `${median(among).toFixed(2)} ms`,
    });
  } finally {
    await daemon.stop();
  }
}

const pty = { columns: 120, rows: 40 };
const noisy = { command: "sh", args: ["-c", "while :; do date; sleep 0.1; done"], pty };

async function start(url, id, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/processes/${id}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.text();
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function follow(url, id, body) {
  await start(url, id, body);
  const response = await fetch(`${url}/processes/${id}/logs/sse`);
  for await (const _ of response.body);
}

function bareOutput(command, args) {
  return new Promise((resolve) => {
    spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] })
      .stdout.resume()
      .once("close", resolve);
  });
}

/** One key after the other, each when the one before has come back. */
async function echoes(url, id, count) {
  await start(url, id, { command: "cat", pty });
  const socket = new WebSocket(`${url.replace("http", "ws")}/processes/${id}/attach`);
  let told;
  const next = () => new Promise((resolve) => (told = resolve));
  const shown = next();
  socket.on("message", (_, isBinary) => isBinary && told());
  await shown;
  const times = [];
  for (let key = 0; key < count; key++) {
    const echoed = next();
    const press = () => {
      socket.send(Buffer.from("x"), { binary: true });
      return echoed;
    };
    times.push(await timed(press));
  }
  socket.close();
  return times;
}
