import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { muslCommand } from "./musl-root.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

type Make = (options: { name: string; target: string; folder: string }) => Promise<string>;
// By address: the scripts have no types.
const { makeExecutable }: { makeExecutable: Make } = await import(
  new URL("../scripts/release/executables.mjs", import.meta.url).href
);

/** What is said of the daemon as a bundle, said again of the single executable. */
const suites = ["daemon-api", "burst", "sigkill", "bad-input"].map((name) => `daemon/server/test/${name}.test.ts`);

/** MUSTER_TEST_MUSL: also that for musl, in a root made for it (needs root, apt-get and a C compiler). */
const targets = ["linux-x64", ...(process.env.MUSTER_TEST_MUSL === undefined ? [] : ["linux-x64-musl"])];

describe.runIf(process.platform === "linux" && process.arch === "x64").each(targets)(
  "the single executable of the daemon for %s",
  { timeout: 900_000 },
  (target) => {
    let top: string;
    let program: string;
    /** Without Node, and without anything else. */
    let path: string;
    beforeAll(async () => {
      top = await mkdtemp(join(tmpdir(), "muster-executable-test-"));
      program = await makeExecutable({ name: "sandbox-daemon", target, folder: top });
      if (target === "linux-x64-musl") program = await muslCommand(program, top);
      path = join(top, "empty");
      await mkdir(path);
    }, 600_000);
    afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

    it("runs with no Node on the PATH, whatever configuration lies where it is started", async () => {
      await writeFile(join(top, ".env"), "MUSTER_PORT=not-a-port\n");
      await writeFile(join(top, "bunfig.toml"), "this is no configuration");
      const { stdout } = await execute(program, ["run", "mock", "echo hello"], {
        cwd: top,
        env: { PATH: path, HOME: top },
      });
      expect(stdout).toMatch(/^hello\n/);
    });

    it("has the page of the inspector inside", async () => {
      const daemon = spawn(program, ["--port", "0", "--no-token", "--data-dir", join(top, "page")], {
        env: { PATH: path, HOME: top },
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        let said = "";
        for await (const text of daemon.stdout.setEncoding("utf8")) {
          said += text;
          if (/listens on http:\S+\n/.test(said)) break;
        }
        const page = `${/listens on (\S+)/.exec(said)?.[1]}/inspect`;
        const html = await (await fetch(page)).text();
        const [, script = ""] = /src="([^"]*main-[^"]+)"/.exec(html) ?? [];
        expect((await fetch(new URL(script, `${page}/`))).status).toBe(200);
      } finally {
        daemon.kill("SIGTERM");
        await once(daemon, "exit");
      }
    });

    it("passes the conformance suite and the burst, kill and bad-input tests with no Node on the PATH", async () => {
      const report = join(top, "report.json");
      const args = ["run", "--maxWorkers=1", "--reporter=json", `--outputFile=${report}`, ...suites];
      const env = { ...process.env, MUSTER_TEST_DAEMON: program, MUSTER_TEST_PATH: path };
      const vitest = join(root, "node_modules/vitest/vitest.mjs");
      const { stdout, stderr } = await execute(process.execPath, [vitest, ...args], {
        cwd: root,
        env,
        maxBuffer: 64 << 20,
      }).catch((error: { stdout: string; stderr: string }) => error);
      const told = JSON.parse(
        await readFile(report, "utf8").catch(() => `{ "none": ${JSON.stringify(stdout + stderr)} }`),
      );
      const failed = told.testResults?.flatMap(({ assertionResults }: { assertionResults: Result[] }) =>
        assertionResults.filter(({ status }) => status === "failed"),
      );
      expect({ ...told, testResults: failed }).toMatchObject({ success: true, numTotalTestSuites: expect.any(Number) });
      expect(told.numPassedTests).toBeGreaterThan(150);
    });
  },
);

interface Result {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages: readonly string[];
}
