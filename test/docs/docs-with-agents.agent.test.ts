import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { PostgresCluster } from "../../base/sql/test/postgres-cluster.ts";
import { runPostgres } from "../../base/sql/test/run-postgres.ts";
import { ampService } from "../../daemon/server/test/agents/amp/amp-home.ts";
import { testsOf } from "../../daemon/server/test/agents/installed-agent.ts";
import { fences, root, runnerOf } from "./fences.ts";

const execute = promisify(execFile);
const said = "Hello from the scripted model.";

/** Blocks of commands that need a key of a provider: run as they stand, with a key that is none and the scripted model. */
const withKeys = fences.filter((fence) => runnerOf(fence) === "agents");
const { program: claude, test } = await testsOf("claude");
const programs = {
  claude,
  codex: (await testsOf("codex")).program,
  opencode: (await testsOf("opencode")).program,
  amp: (await testsOf("amp")).program,
};

/** What a block must have printed; the others end well, which is enough. */
const printed: Readonly<Record<string, RegExp>> = {
  "README.md export ANTHROPIC_API_KEY": /Hello from the scripted model/,
  "docs/converting.md claude -p": /"type":"turn\.ended"/,
  "docs/how-to/chat.md sandbox-daemon chat": /(Hello from the scripted model[\s\S]*){3}/,
};

describe("the blocks of the documentation that need a key", { timeout: 240_000 }, () => {
  let postgres: PostgresCluster;
  beforeAll(async () => {
    postgres = await runPostgres();
  });
  afterAll(() => postgres?.stop());

  for (const { page, commands } of withKeys) {
    const name = `${page} ${commands.split(/ |\n/).slice(0, 2).join(" ").split("=")[0]}`;
    const title = `${name}: ${commands.split("\n").find((line) => / run |codebuff|chat|convert/.test(line)) ?? ""}`;
    test(title.slice(0, 110), async () => {
      const wanted = page === "docs/quick-start.md" ? /Hello from the scripted model/ : printed[name];
      const output = await runBlock(commands, await postgres.create());
      if (wanted !== undefined) expect(output).toMatch(wanted);
    });
  }
});

/** A block in a home of its own, as it would be typed in a clone: what serves goes on in the background. */
async function runBlock(commands: string, database: string): Promise<string> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "muster-docs-")));
  const hello = { turns: [{ text: said, times: "always" as const }] };
  const llm = await startScriptedLlm({
    script: { routes: ampService.routes, conversations: [...ampService.conversations, hello] },
  });
  try {
    await symlink(join(root, "node_modules"), join(home, "node_modules"));
    await mkdir(join(home, "bin"));
    for (const [name, program] of Object.entries(programs)) {
      if (program !== undefined) await symlink(program.path, join(home, "bin", name));
    }
    await writeFile(join(home, "bin/mcp-files"), "#!/bin/sh\ncat >/dev/null\n");
    await chmod(join(home, "bin/mcp-files"), 0o755);
    const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await writeFile(join(home, "plan.png"), Buffer.from(dot, "base64"));
    const typed = commands
      .replaceAll("=…", "=sk-test-000")
      .replaceAll("postgres://codebuff@db/codebuff", database)
      .replaceAll(/^npm run build && alias codebuff=.*$/gm, "true");
    const env = {
      HOME: home,
      PATH: `${join(home, "bin")}:${join(root, "node_modules/.bin")}:${process.env.PATH}`,
      NO_COLOR: "1",
      TERM: "xterm-256color",
      ANTHROPIC_BASE_URL: llm.url,
      OPENAI_BASE_URL: `${llm.url}/v1`,
      AMP_URL: llm.url,
      OPENROUTER_BASE_URL: llm.url,
      MCP_TIMEOUT: "2000",
      ANTHROPIC_API_KEY: "sk-test-000",
      OPENAI_API_KEY: "sk-test-000",
    };
    const { stdout, stderr } = await execute("bash", ["-c", `${surroundings}\n${typed}`], {
      cwd: home,
      env,
      maxBuffer: 16 << 20,
      timeout: 200_000,
    });
    return `${stdout}${stderr}`;
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as { stdout?: string; stderr?: string; message: string };
    throw new Error(`${message.slice(0, 200)}\n${stdout.slice(-3_000)}\n${stderr.slice(-3_000)}`);
  } finally {
    await llm.close();
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** What serves goes on in the background; what asks a person at a terminal has one, and gets a message. */
const surroundings = `set -eu
exec </dev/null
git init -q
touch "$HOME/daemons"
serve() {
  local said; said=$(mktemp -p "$HOME" serve.XXXXXX)
  "$@" >"$said" 2>&1 & echo $! >>"$HOME/daemons"
  until grep -qE "listens on|http://" "$said"; do kill -0 $! || { cat "$said"; exit 1; }; sleep 0.1; done
}
sandbox-daemon() {
  case "\${1:-serve}" in
    serve | -*) serve "$(type -P sandbox-daemon)" --port 0 "$@" ;;
    chat) echo "Say hello" | command sandbox-daemon "$@" ;;
    sessions) [ -s "$HOME/daemons" ] || sandbox-daemon
      case "$*" in *" s1") command sandbox-daemon sessions get s1 >/dev/null 2>&1 || command sandbox-daemon sessions create s1 mock >/dev/null ;; esac
      command sandbox-daemon "$@" ;;
    *) command sandbox-daemon "$@" ;;
  esac
}
npm() { sandbox-daemon; }
codebuff-server() { PORT=0 serve "$(type -P codebuff-server)"; }
codebuff() {
  case "\${1:-}" in
    "" | --demo | [!-]*) printf 'y\\n/quit\\n' | command codebuff --plain "$@" ;;
    *) command codebuff "$@" ;;
  esac
}
end() { while read -r pid; do kill "$pid" 2>/dev/null || true; done <"$HOME/daemons"; wait || true; }
trap end EXIT`;
