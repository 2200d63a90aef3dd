/** Makes the bundles of the programs that run from one; part of `npm run build`. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle.mjs";
import { optionalPackages, packagesWithFiles } from "./codebuff-parts.mjs";
import { root } from "./prepare.mjs";

// First: the daemon practises with it.
await bundle({
  entry: join(root, "daemon/adapters/src/mock/run/program/main.ts"),
  out: join(root, "daemon/adapters/dist/mock/bundle/mock-agent.cjs"),
  // It ends with its input, which is empty.
  practise: async (start) => {
    await once(start(["--shared"]), "exit");
  },
});

await bundle({
  entry: join(root, "daemon/cli/src/main.ts"),
  out: join(root, "daemon/cli/dist/bundle/sandbox-daemon.cjs"),
  external: ["@opentelemetry/*"],
  practise: startAndStop,
});

await bundle({
  entry: join(root, "codebuff/cli/src/main.ts"),
  out: join(root, "codebuff/cli/dist/bundle/codebuff.cjs"),
  external: [...packagesWithFiles, ...optionalPackages],
  practise: runDemo,
});

/** What nearly every daemon does first: it answers, makes a session, and takes a message. */
async function startAndStop(start) {
  const folder = mkdtempSync(join(tmpdir(), "muster-bundle-"));
  try {
    const daemon = start(["--port", "0", "--no-token", "--log-level", "warn", "--data-dir", folder]);
    const exited = once(daemon, "exit");
    for await (const text of daemon.stdout.setEncoding("utf8")) {
      const url = /listens on (\S+)/.exec(text)?.[1];
      if (url === undefined) continue;
      await holdTurn(url);
      daemon.kill("SIGTERM");
    }
    await exited;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A demonstration from its first request to its end, in a directory of its own. */
async function runDemo(start) {
  const folder = mkdtempSync(join(tmpdir(), "muster-bundle-"));
  try {
    const demo = start(["--demo", "--cwd", folder, "--stream-json", "hi"], { ...process.env, HOME: folder });
    demo.stdout.resume();
    const [code] = await once(demo, "exit");
    if (code !== 0) throw new Error(`codebuff --demo ended with ${code}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function holdTurn(url) {
  const ask = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const asked = body && { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${url}${path}`, asked)).json();
  };
  await ask("/health");
  await ask("/sessions/practice", { agent: "mock" });
  await fetch(`${url}/sessions/practice/messages/stream`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "echo a few words" }),
  }).then((response) => response.text());
}
