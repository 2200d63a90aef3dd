/** `node scripts/inspector-pictures.mjs`: makes the pictures of the page in docs/pictures, with the mock agent and chromium. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { prepare, root } from "./prepare.mjs";

const pictures = join(root, "docs/pictures");
const desktop = { width: 1280, height: 800 };
const phone = { width: 375, height: 740 };

prepare();
mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "muster-pictures-"));
const project = join(folder, "shop");
mkdirSync(project);
const daemon = spawn(
  process.execPath,
  [join(root, "daemon/cli/bin/sandbox-daemon.cjs"), "--port", "0", "--no-token", "--data-dir", join(folder, "data")],
  { cwd: project, env: { PATH: process.env.PATH, HOME: folder }, stdio: ["ignore", "pipe", "inherit"] },
);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"],
});
try {
  const url = await urlOf(daemon);
  await makeSessions(url);
  for (const colorScheme of ["light", "dark"]) {
    for (const [device, viewport] of Object.entries({ desktop, phone })) {
      const page = await browser.newPage({ viewport, colorScheme });
      const take = async (name, hash, seen) => {
        await page.goto(`${url}/inspect#/${hash}`);
        await page.locator(seen).first().waitFor();
        await page.waitForTimeout(500);
        await page.screenshot({ path: join(pictures, `${name}-${device}-${colorScheme}.png`) });
      };
      await take("sessions", "", ".session");
      await take("chat", "session/colours/chat", ".dock");
      await take("permission", "session/prices/chat", ".dock");
      await take("events", "session/prices/events?at=4", ".detail");
      await take("changes", "session/prices/changes", ".changed-file");
      await take("pictures", "session/prices/pictures", ".timeline");
      await take("new", "new", ".agent-option");
      await page.close();
    }
  }
} finally {
  await browser.close();
  const exited = once(daemon, "exit");
  daemon.kill();
  await exited;
  rmSync(folder, { recursive: true, force: true });
}

async function urlOf({ stdout }) {
  for await (const text of stdout.setEncoding("utf8")) {
    const [, url] = /listens on (\S+)/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("The daemon did not start");
}

/** Three conversations: one that asks, one that wants leave to change a file, one that is done. */
async function makeSessions(url) {
  const ask = async (method, path, body) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    return response.text();
  };
  const create = (id, title) => ask("POST", `/sessions/${id}`, { agent: "mock", title });
  const say = (id, message) => ask("POST", `/sessions/${id}/messages/stream?deltas=false`, { message });
  await create("release", "Write the release notes");
  await say("release", "markdown");
  await create("prices", "Round prices to cents");
  for (const message of ["reasoning", "tool", "file", "subagent"]) await say("prices", message);
  await ask("POST", "/sessions/prices/messages", { message: "permission edit src/prices.ts" });
  await create("colours", "Choose a colour for the shop");
  for (const message of ["markdown", "tool", "file"]) await say("colours", message);
  await ask("POST", "/sessions/colours/messages", { message: "question" });
}
