import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

/** Files as `nobody`, who may not read what root keeps; only root can start processes of somebody else. */
const isRoot = process.getuid?.() === 0;
const [uid, gid] = isRoot ? idsOf("nobody") : [0, 0];
const canRun = isRoot && canStart();
if (!canRun) process.stderr.write("skipped: only root can run files as another user, who must be able to start node\n");

function idsOf(user: string): [number, number] {
  const id = (flag: string) => Number(execFileSync("id", [flag, user], { encoding: "utf8" }));
  return [id("-u"), id("-g")];
}

/** A clone in a home that nobody else may enter cannot be run by others. */
function canStart(): boolean {
  try {
    const program = new URL("../../../sandbox/dist/files/as-user/program.js", import.meta.url).pathname;
    execFileSync(process.execPath, ["-e", `require("node:fs").accessSync(${JSON.stringify(program)})`], {
      uid,
      gid,
      cwd: "/",
    });
    return true;
  } catch {
    return false;
  }
}

describe.runIf(canRun)("files of the agents' user", () => {
  let home: DaemonHome;
  let daemon: DaemonProcess;
  let directory = "";
  beforeAll(async () => {
    home = await DaemonHome.make({ args: ["--no-token", "--agent-user", "nobody"] });
    chmodSync(home.path, 0o755);
    directory = join(home.path, "work");
    mkdirSync(directory);
    chownSync(directory, uid, gid);
    writeFileSync(join(directory, "of-root"), "kept from others", { mode: 0o600 });
    daemon = await home.start();
    await daemon.api.post("/sessions/s", { agent: "mock", directory });
  });
  afterAll(() => home.remove());

  const ask = (path: string, init: RequestInit & { duplex?: "half" } = {}) =>
    fetch(`${daemon.api.baseUrl}${path}`, init);

  it("what is written is theirs, and what root keeps is not read", async () => {
    const body = "x".repeat(3_000_000);
    const written = await ask("/files/content?session=s&path=a", { method: "PUT", body });
    expect(await written.json()).toMatchObject({ created: true, size: body.length });
    expect(statSync(join(directory, "a")).uid).toBe(uid);
    expect(await (await ask("/files/content?session=s&path=a")).text()).toBe(body);
    const refused = await ask("/files/content?session=s&path=of-root");
    expect(await refused.json()).toMatchObject({ status: 403, code: "file_denied" });
    expect((await (await ask("/files?session=s&recursive")).json()) as object).toMatchObject({
      entries: [{ path: "a" }, { path: "of-root" }],
    });
  });

  it("of many that saw the same ETag one writes, and a body that breaks off leaves nothing", async () => {
    const put = (index: number) =>
      ask("/files/content?session=s&path=new", {
        method: "PUT",
        body: `writer ${index}`,
        headers: { "if-none-match": "*" },
      });
    const statuses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => put(index).then(({ status }) => status)),
    );
    expect(statuses.sort()).toEqual([201, 412, 412, 412, 412, 412]);
    const breaking = new ReadableStream({
      async pull(controller) {
        if (readdirSync(directory).some((name) => name.startsWith(".muster-"))) controller.error(new Error("gone"));
        else controller.enqueue(Buffer.from("half"));
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    });
    await expect(
      ask("/files/content?session=s&path=half", { method: "PUT", body: breaking, duplex: "half" }),
    ).rejects.toThrow();
    await expect
      .poll(() => readdirSync(directory).filter((name) => name.startsWith(".muster-")), { timeout: 60_000 })
      .toEqual([]);
    expect(existsSync(join(directory, "half"))).toBe(false);
  });
});
