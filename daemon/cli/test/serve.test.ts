import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@muster/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDaemonProcess, temporaryFolder } from "./daemon-process.ts";
import { runCommand } from "./start-command.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let running: Awaited<ReturnType<typeof startDaemonProcess>> | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  if (running?.child.exitCode === null) await running.stop();
  running = undefined;
  await folder.remove();
});
const start = async (...args: string[]) => {
  running = await startDaemonProcess(args, { SANDBOX_DAEMON_DATA_DIR: folder.path });
  return running;
};

describe("serve", () => {
  it("makes a token, shows it once, keeps it for its user only, and prints a curl line that works", async () => {
    const first = await start("--port", "0");
    const file = join(folder.path, "token");
    const token = (await readFile(file, "utf8")).trim();
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(first.greeting).toContain(file);
    expect(first.greeting).toContain(token);
    const { stdout } = await promisify(execFile)("sh", ["-c", curlOf(first.greeting)]);
    expect(JSON.parse(stdout)).toHaveProperty("agents");
    expect(await first.stop()).toEqual({ code: 0, signal: null });

    const second = await start("serve", "--port", "0");
    expect(second.greeting).not.toContain(token);
    const { stdout: again } = await promisify(execFile)("sh", ["-c", curlOf(second.greeting)]);
    expect(JSON.parse(again)).toHaveProperty("agents");
  });

  it("lets client commands on the same machine find the token by themselves", async () => {
    const { url } = await start("--port", "0");
    const env = { SANDBOX_DAEMON_DATA_DIR: folder.path, SANDBOX_DAEMON_ENDPOINT: url };
    expect(await runCommand(["agents", "get", "mock"], env)).toMatchObject({ code: 0, err: "" });
    expect(await runCommand(["agents", "get", "mock", "--token", "wrong"], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining("401 unauthorized"),
    });
  });

  it("neither prints nor writes a token it was given", async () => {
    const { greeting, url } = await start("--port", "0", "--token", "given-secret");
    expect(greeting).not.toContain("given-secret");
    await expect(stat(join(folder.path, "token"))).rejects.toThrow("ENOENT");
    await promisify(execFile)("sh", ["-c", curlOf(greeting)]);
    expect(await runCommand(["info", "--endpoint", url, "--token", "given-secret"])).toMatchObject({ code: 0 });
  });

  it.each(["SIGTERM", "SIGINT"] as const)("closes on %s and ends with 0", async (signal) => {
    const { child, exit } = await start("--port", "0", "--no-token");
    child.kill(signal);
    expect(await exit).toEqual({ code: 0, signal: null });
  });

  it("says in one line that the port is in use and ends with 1", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const { port } = holder.address() as { port: number };
    const args = ["--port", `${port}`, "--no-token", "--data-dir", folder.path];
    const { code, out, err } = await runCommand(args);
    holder.close();
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`error: port ${port} on 127.0.0.1 is already in use`);
  });

  it.each(["/proc/nothing/here", "/dev/null/data"])(
    "says in one line that %s can be no data directory",
    async (path) => {
      const { code, out, err } = await runCommand(["--port", "0", "--no-token", "--data-dir", path]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err.trim().split("\n")).toEqual([expect.stringMatching(/^error: EN\w+: .*, mkdir '/)]);
    },
  );

  it("says in one line that another daemon has the data directory and ends with 1", async () => {
    const first = await start("--port", "0", "--no-token");
    const { code, out, err } = await runCommand(["--port", "0", "--no-token", "--data-dir", folder.path]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(
      `error: sandbox-daemon is already running at ${first.url}. The data directory is in use by process ${first.child.pid}; --data-dir takes another\n`,
    );
  });

  it("does not wait for its end on a second signal", async () => {
    const { url, child, exit } = await start("--port", "0", "--no-token");
    const client = createClient({ endpoint: url });
    await client.sessions.create({ sessionId: "s1", agent: "mock" });
    await client.sessions.sendMessage({ sessionId: "s1", message: "ignore-sigterm" });
    for await (const { type } of client.sessions.streamEvents({ sessionId: "s1" })) if (type === "turn.started") break;
    child.kill("SIGTERM");
    await refusing(url);
    child.kill("SIGINT");
    expect(await exit).toEqual({ code: 130, signal: null });
    // The agent that outlived its daemon is the next one's to end.
    await start("--port", "0", "--no-token");
  });

  it("refuses to serve a network without a token and ends with 2", async () => {
    const args = ["--host", "0.0.0.0", "--port", "0", "--no-token", "--data-dir", folder.path];
    expect(await runCommand(args)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("--allow-unauthenticated-network"),
    });
  });
});

/** Resolves when the daemon has begun to close: it answers 503 or no longer at all. */
async function refusing(url: string): Promise<void> {
  while (
    await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  );
}

function curlOf(greeting: string): string {
  const [, line = ""] = /try: +(curl .*)\n/.exec(greeting) ?? [];
  return line.replace("curl", "curl -sS --fail");
}
