import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon/server/test/daemon-process.ts";
import { startBrowser } from "./browser.ts";

/** The example in a real browser against a real daemon, served as its first lines tell. */
const root = fileURLToPath(new URL("..", import.meta.url));
const browser = await startBrowser();
const isThere = !("reason" in browser);
if (!isThere) process.stderr.write(`skipped: ${browser.reason}\n`);

let home: DaemonHome;
let daemon: DaemonProcess;
let server: ChildProcess;
let origin = "";
beforeAll(async () => {
  if (!isThere) return;
  const folder = "examples/10-chat-page";
  const build = [`${folder}/page.jsx`, "--bundle", "--format=esm", "--jsx=automatic", `--outdir=${folder}`];
  // Ends when its input does, so that it cannot outlive this process.
  const args = [...build, `--servedir=${folder}`, "--serve=127.0.0.1:0"];
  // By itself, not by Node: where npm ran its install script the file is no JavaScript but the program.
  server = spawn(`${root}/node_modules/.bin/esbuild`, args, { cwd: root, stdio: ["pipe", "ignore", "pipe"] });
  origin = await new Promise((resolve, reject) => {
    let said = "";
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [, url] = /(http:\/\/127\.0\.0\.1:\d+)\//.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    server.once("exit", () => reject(new Error(said)));
  });
  home = await DaemonHome.make({ args: ["--no-token", "--cors-origin", origin] });
  daemon = await home.start();
});
afterAll(async () => {
  if (!isThere) return;
  await browser.close();
  if (server.exitCode === null) {
    const exit = once(server, "exit");
    server.kill();
    await exit;
  }
  await home.remove();
});

test.runIf(isThere)(
  "a chat page in 60 lines renders an agent: thought, tool, approval, question, error, resume",
  async () => {
    if (!isThere) return;
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    const address = `${origin}/#endpoint=${encodeURIComponent(daemon.api.baseUrl)}&session=page`;
    await page.goto(address);
    const say = async (text: string) => {
      await page.getByRole("textbox").fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    };
    const bubbles = () => page.locator("section").allInnerTexts();
    const idle = () => page.locator("output", { hasText: "ready" }).waitFor();

    await say("reasoning");
    await page.getByText("the shorter way is the better one").waitFor();
    await page.locator("details", { hasText: "I look at it from two sides" }).waitFor();
    await idle();

    await say("permission touch a");
    await page.locator("pre", { hasText: "approval-requested" }).waitFor();
    // Another look at the page finds what was said before and the turn that waits, each once.
    const before = await bubbles();
    await page.reload();
    await page.getByRole("button", { name: "Allow" }).waitFor();
    expect(await bubbles()).toEqual(before);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.locator("pre", { hasText: "output-available" }).waitFor();
    await idle();

    await say("question");
    await page.getByText("Red Blue").waitFor();
    await idle();
    await say("Blue");
    await page.getByText("You answered: Blue").waitFor();
    await idle();
    expect(await page.getByText("Red Blue").count()).toBe(1);
    const asked = await bubbles();
    await page.reload();
    await page.getByText("You answered: Blue").waitFor();
    expect(await bubbles()).toEqual(asked);

    await say("slow 60000");
    await page.getByText("tick").waitFor();
    // In the middle of a turn: the past, what was said last, and the turn as it goes on.
    await page.reload();
    await page.getByText("tick").waitFor();
    expect((await bubbles()).slice(0, -1)).toEqual([...asked, "slow 60000"]);
    await page.getByRole("button", { name: "Stop" }).click();
    await idle();

    await say("error");
    await page.getByRole("alert").filter({ hasText: "provider_error: The pretended provider failed" }).waitFor();
    expect(problems).toEqual([]);
  },
);

test("it is 60 lines", () => {
  expect(
    readFileSync(`${root}examples/10-chat-page/page.jsx`, "utf8").trimEnd().split("\n").length,
  ).toBeLessThanOrEqual(60);
});
