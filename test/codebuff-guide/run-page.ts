import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startScriptedLlm } from "@muster/scripted-llm";
import { type Fence, type GuidePage, root } from "./fences.ts";
import { guideScript } from "./guide-script.ts";

const execute = promisify(execFile);
const mark = "=== end of a block ===";

/** What the commands of a page printed, those of each block by themselves. */
export async function runPage({ name, fences }: GuidePage): Promise<string[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "codebuff-guide-")));
  const project = join(home, "shop");
  await mkdir(project);
  // Programs of the page import the packages of this repository, as they would those they installed.
  await symlink(join(root, "node_modules"), join(home, "node_modules"));
  const llm = await startScriptedLlm({ script: guideScript });
  const env = {
    HOME: home,
    PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`,
    NO_COLOR: "1",
    ANTHROPIC_API_KEY: "sk-ant-guide",
    ANTHROPIC_BASE_URL: llm.url,
    OPENROUTER_BASE_URL: llm.url,
  };
  const script = `set -eu
exec 2>&1
echo '{ "name": "shop", "private": true, "type": "module" }' > package.json
${fences.map(commandsOf).join("\n")}`;
  try {
    const { stdout } = await execute("bash", ["-c", script], {
      cwd: project,
      env,
      maxBuffer: 16 << 20,
      timeout: 90_000,
    });
    const failures = llm.failures();
    if (failures.length > 0) throw Object.assign(new Error(JSON.stringify(failures)), { stdout });
    return stdout.split(`${mark}\n`);
  } catch (error) {
    const { stdout = "", message } = error as { stdout?: string; message: string };
    throw new Error(`${name}: ${message.slice(-400)}\n${stdout}`);
  } finally {
    await llm.close();
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

function commandsOf(fence: Fence): string {
  if (fence.kind === "printed") return "";
  if (fence.kind === "commands") return `${programsAsJavaScript(fence.text)}\necho '${mark}'`;
  const { path, text } = fence;
  return `mkdir -p "$(dirname ${path})" && cat > ${path} <<'END OF THE FILE'\n${text}END OF THE FILE`;
}

/** Node runs TypeScript from 22.18 on; the house also stands on 20. */
function programsAsJavaScript(commands: string): string {
  const build = "esbuild --log-level=error --format=esm --platform=node";
  return commands.replaceAll(/\bnode (\w+)\.ts\b/g, `${build} $1.ts --outfile=$1.mjs && node $1.mjs`);
}
