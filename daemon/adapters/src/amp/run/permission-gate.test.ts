import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { chmod, chown, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { AgentUser } from "../../host.ts";
import type { SaidLine } from "../wire/native.ts";
import { PermissionGate } from "./permission-gate.ts";
import { permissionScript } from "./permission-program.ts";
import { makeShortFolder, socketIn } from "./short-folder.ts";

const sandboxDaemon = fileURLToPath(new URL("../../../../cli/bin/sandbox-daemon.cjs", import.meta.url));

test.each([
  ["the script on Amp's PATH", []],
  ["the hidden command of a single executable", [sandboxDaemon, "__agent", "amp-permission"]],
])("%s asks, waits and obeys", async (_, args) => {
  const { gate, folder, lines } = await openGate();
  const command = args.length === 0 ? await scriptIn(folder) : process.execPath;
  for (const [decision, code] of [
    ["allow", 0],
    ["reject", 2],
  ] as const) {
    const program = ask(command, args, { ...gate.env, AGENT_TOOL_NAME: "Bash", AGENT_TOOL_USE_ID: "t1" });
    await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(1);
    expect(lines).toMatchObject([
      { type: "permission_request", tool_name: "Bash", tool_use_id: "t1", input: { cmd: "ls" } },
    ]);
    gate.answer(String(lines.splice(0)[0]?.request_id), decision);
    expect(await program.exit).toBe(code);
  }
});

test("a program that is killed no longer asks, and one that finds no daemon is told no", async () => {
  const { gate, folder, lines } = await openGate();
  const command = await scriptIn(folder);
  const program = ask(command, [], gate.env);
  await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(1);
  program.child.kill("SIGKILL");
  await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toMatchObject({ type: "permission_withdrawn" });
  const waiting = ask(command, [], gate.env);
  await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(3);
  await gate.close();
  expect(await waiting.exit).toBe(2);
  expect(await ask(command, [], gate.env).exit).toBe(2);
  expect(existsSync(socketIn(folder))).toBe(false);
});

test("whoever does not know the secret of the life is not heard", async () => {
  const { folder, lines } = await openGate();
  const question = { tool: "Bash", callId: "t1", input: "{}" };
  for (const line of [JSON.stringify({ ...question, secret: "guessed" }), "no JSON", JSON.stringify(question)]) {
    const connection = createConnection(socketIn(folder));
    connection.write(`${line}\n`);
    expect(await text(connection)).toBe("");
  }
  expect(lines).toEqual([]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test("a folder whose daemon is gone is removed with the next one, others stay", async () => {
  const { folder } = await openGate();
  const gone = join(tmpdir(), "muster-amp-life-999999999-abcdef");
  const strange = join(tmpdir(), `muster-amp-life-mine-${process.pid}`);
  for (const path of [gone, strange]) {
    await mkdir(path);
    onTestFinished(() => rm(path, { recursive: true, force: true }));
  }
  const next = await makeShortFolder();
  onTestFinished(() => rm(next, { recursive: true, force: true }));
  expect([gone, strange, folder, next].map((path) => existsSync(path))).toEqual([false, true, true, true]);
  expect(socketIn(next).length).toBeLessThan(100);
});

/** The program must be one that everybody may run. */
const isReachable = [sandboxDaemon, process.execPath].flatMap(ancestors).every((path) => statSync(path).mode & 0o001);
const canBeNobody = process.getuid?.() === 0 && isReachable;
if (!canBeNobody)
  process.stdout.write("skipped: a permission program of another user needs root and a clone all can enter\n");

test.runIf(canBeNobody)("an agent that runs as another user can ask, and nobody else", async () => {
  const user = { name: "nobody", uid: 65_534, gid: 65_534, home: "/" };
  const { gate, folder, lines } = await openGate(user);
  const command = await scriptIn(folder);
  await Promise.all([folder, command].map((path) => chown(path, user.uid, user.gid)));
  const stranger = ask(process.execPath, [sandboxDaemon, "__agent", "amp-permission"], gate.env, {
    uid: 65_533,
    gid: 65_533,
  });
  expect(await stranger.exit).toBe(2);
  const program = ask(command, [], gate.env, user);
  await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(1);
  gate.answer(String(lines[0]?.request_id), "allow");
  expect(await program.exit).toBe(0);
});

function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [path, ...ancestors(dirname(path))];
}

async function openGate(user?: AgentUser) {
  const folder = await makeShortFolder();
  const gate = await PermissionGate.open(socketIn(folder), user);
  onTestFinished(async () => {
    await gate.close();
    await rm(folder, { recursive: true, force: true });
  });
  const lines: SaidLine[] = [];
  gate.read((line) => lines.push(line));
  return { gate, folder, lines };
}

async function scriptIn(folder: string): Promise<string> {
  const path = join(folder, "muster-permission");
  await writeFile(path, permissionScript());
  await chmod(path, 0o700);
  return path;
}

function ask(command: string, args: string[], env: Record<string, string>, user: { uid?: number; gid?: number } = {}) {
  const { uid, gid } = user;
  const own = { env: { ...env, PATH: process.env.PATH }, cwd: "/", uid, gid };
  const child = spawn(command, args, { ...own, stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end('{"cmd":"ls"}');
  return { child, exit: once(child, "exit").then(([code]) => code as number) };
}
