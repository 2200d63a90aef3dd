/**
 * `npm run example <number> [ts|py|sh]`: runs an example on the daemon that SANDBOX_DAEMON_ENDPOINT names, or on one that
 * is started for it. The exit code is the example's.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare, root } from "../scripts/prepare.mjs";

const languages = ["ts", "py", "sh"];
const folder = join(root, "examples");
const [name, language = "ts"] = process.argv.slice(2);
const file = readdirSync(folder).find((found) => name && found.startsWith(name) && found.endsWith(`.${language}`));
if (file === undefined || !languages.includes(language)) usage();

prepare();
const daemon = process.env.SANDBOX_DAEMON_ENDPOINT === undefined ? await startDaemon() : undefined;
const project = file.startsWith("09") && process.env.DIRECTORY === undefined ? await brokenProject() : undefined;
try {
  process.exitCode = await run(file, { ...process.env, ...daemon?.env, ...project?.env });
} finally {
  await project?.remove();
  await daemon?.stop();
}

/** What 09 mends when it is given nothing: a copy of a small project, and a model that knows the answer. */
async function brokenProject() {
  const directory = mkdtempSync(join(tmpdir(), "muster-example-"));
  cpSync(join(folder, "09-project"), directory, { recursive: true });
  const own = { DIRECTORY: directory, TEST: "node sum.test.mjs" };
  const remove = () => rmSync(directory, { recursive: true, force: true });
  if (process.env.AGENT !== undefined || process.env.MODEL_URL !== undefined) return { env: own, remove };
  process.stderr.write("a project of its own, and a scripted model; DIRECTORY, TEST and AGENT take yours\n");
  const { startScriptedLlm } = await import("@muster/scripted-llm");
  const mended = readFileSync(join(directory, "sum.mjs"), "utf8").replace("a - b", "a + b");
  const write = { name: "write_file", input: { path: "sum.mjs", content: mended } };
  const aside = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" }] };
  const turns = [{ text: "I mend it.", tools: [write] }, { text: "Mended." }];
  const llm = await startScriptedLlm({ script: { conversations: [aside, { turns }] } });
  return {
    env: { ...own, MODEL_URL: llm.url, MODEL_TOKEN: "sk-ant-of-a-scripted-model" },
    async remove() {
      remove();
      await llm.close();
    },
  };
}

/** The command of each language. */
async function run(file, env) {
  const path = join(folder, file);
  if (language === "sh") return await exitOf("bash", [path], env);
  if (language === "py") return await exitOf("python3", [path], { ...env, PYTHONPATH: join(root, "python") });
  // Node 22.18 and newer runs a .ts file as it is; for older ones its types are taken off.
  const { build } = await import("esbuild");
  const plain = join(root, "node_modules", ".muster", "examples", file.replace(/\.ts$/, ".mjs"));
  mkdirSync(join(plain, ".."), { recursive: true });
  await build({ entryPoints: [path], outfile: plain, format: "esm", platform: "node", logLevel: "warning" });
  return await exitOf(process.execPath, [plain], env);
}

async function exitOf(command, args, env) {
  const [code] = await once(spawn(command, args, { env, stdio: "inherit" }), "exit");
  return code ?? 1;
}

/** A daemon on a free port, with sessions that are gone afterwards. */
async function startDaemon() {
  const home = mkdtempSync(join(tmpdir(), "muster-example-"));
  const command = join(root, "daemon/cli/bin/sandbox-daemon.cjs");
  const args = [command, "--port", "0", "--no-token", "--data-dir", home];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(child, "exit");
  let said = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    said += text;
    if (/listens on http:\S+\n/.test(said)) break;
  }
  const [, endpoint] = /listens on (http:\S+)\n/.exec(said) ?? [];
  return {
    env: { SANDBOX_DAEMON_ENDPOINT: endpoint },
    async stop() {
      child.kill("SIGTERM");
      await exit;
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function usage() {
  const names = readdirSync(folder).filter((found) => found.endsWith(".ts"));
  const list = names.map((found) => `  ${found.replace(/\.ts$/, "")}`).join("\n");
  process.stderr.write(`npm run example <number> [${languages.join("|")}]\n\n${list}\n`);
  process.exit(2);
}
