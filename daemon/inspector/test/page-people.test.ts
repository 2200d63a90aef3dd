import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { DaemonHome } from "../../server/test/daemon-process.ts";
import { PageHome, say, turnsEnded } from "./page-home.ts";

/** What made people stumble: errors far from their cause, lost focus, choices that were elsewhere, changes in pieces. */
const { here, test } = await PageHome.forFile();
const soon = { timeout: 30_000 };

test("what is wrong with a new session stands beside its field, with a button that puts it right", async () => {
  const page = await here().tab();
  await page.goto(`${here().daemon.api.baseUrl}/inspect#/new`);
  await page.getByRole("radio", { name: "Mock" }).check();
  await page.getByLabel("What to do first").fill("echo the first words");
  await page.getByLabel("Directory").fill("/no/such/place");
  await page.getByRole("button", { name: "Create session" }).click();
  const wrong = page.locator(".field.wrong", { hasText: "Directory" });
  await wrong.getByText("/no/such/place does not exist").waitFor();
  expect(await page.getByText("does not exist").count()).toBe(1);
  await wrong.getByRole("button", { name: "Use the daemon's own directory" }).click();
  await wrong.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Create session" }).click();
  await page.getByText("the first words").last().waitFor();
  await turnsEnded(page, 1);
});

test("an agent without a key says so once, and the button beside it leads to the field for the key", async () => {
  const program = join(here().home.path, "claude");
  await writeFile(program, "#!/bin/sh\necho '2.1.325 (Claude Code)'\n");
  await chmod(program, 0o755);
  const home = await DaemonHome.make({ args: ["--agent-source", `claude=path:${program}`] });
  const context = await here().browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const daemon = await home.start();
    await here().enter(context, daemon);
    const page = await here().tab(context);
    await page.goto(`${daemon.api.baseUrl}/inspect#/new`);
    await page.getByRole("radio", { name: "Claude Code" }).check();
    await page.getByLabel("What to do first").fill("kept until there is a key");
    await page.getByRole("button", { name: "Create session" }).click();
    const trouble = page.getByRole("alert").filter({ hasText: "No key for Claude" });
    await trouble.waitFor();
    expect(await page.getByText(/No key for Claude/).count()).toBe(1);
    expect(await page.getByText(/on the command line/).count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("kept until there is a key");
    await trouble.getByRole("button", { name: "Enter the key" }).click();
    await expect.poll(() => focusOf(page), soon).toContain("password");
  } finally {
    await context.close();
    await home.remove();
  }
});

test("what could not be sent is told beside it, is given back, and is forgotten when the daemon is there again", async () => {
  const { page } = await here().session();
  await page.getByRole("textbox", { name: "Message" }).fill("echo not lost");
  await here().home.kill();
  await page.keyboard.press("Enter");
  const problem = page.locator(".composer .problem");
  await problem.waitFor();
  const [told, send] = [await problem.boundingBox(), await page.getByRole("button", { name: "Send" }).boundingBox()];
  expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThanOrEqual(send?.y ?? 0);
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("echo not lost");
  await here().restart();
  await page.locator(".connection.live").waitFor();
  await problem.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send" }).click();
  await turnsEnded(page, 1);
});

test("model, mode and permissions are chosen where the message is written, by mouse and by keyboard", async () => {
  const { page, sessionId } = await here().session();
  const session = () => here().daemon.api.get<Record<string, string>>(`/sessions/${sessionId}`);
  await page.getByRole("button", { name: /^Permissions: / }).click();
  await page.getByRole("button", { name: "let edits pass, ask before commands" }).click();
  await page.getByRole("button", { name: "Permissions: edits pass" }).waitFor();
  expect((await session()).permissionMode).toBe("acceptEdits");
  await page.getByRole("button", { name: /^Mode: / }).click();
  await page.getByRole("dialog", { name: "Mode" }).getByRole("button").nth(1).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await session()).agentMode, soon).not.toBe(undefined);
  await page.getByRole("button", { name: /^Model: / }).click();
  const models = page.getByRole("dialog", { name: "Model" });
  await models.getByRole("searchbox").fill("mock-l");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Model: mock-large" }).waitFor();
  expect((await session()).model).toBe("mock-large");
  await page.getByRole("button", { name: "Model: mock-large" }).click();
  await models.waitFor();
  await page.keyboard.press("Escape");
  await models.waitFor({ state: "detached" });
});

test("all changes of a session are one diff: each file once, however often it was edited", async () => {
  const directory = join(here().home.path, "changed");
  await mkdir(directory);
  const { page, sessionId } = await here().session({ directory });
  await page.getByRole("link", { name: "Changes" }).click();
  await page.getByRole("heading", { name: "No changes yet" }).waitFor();
  await page.getByRole("link", { name: "To the chat" }).click();
  for (const text of ["file", "file", "echo done"]) await say(page, text);
  await turnsEnded(page, 3);
  await here().show(page, sessionId, "changes");
  await page.getByRole("heading", { name: "1 file changed +1 −0" }).waitFor();
  const files = page.locator(".changed-file");
  await files.getByText("2 edits as one").waitFor();
  expect(await files.locator(".line.added").allTextContents()).toEqual(["+hello\n"]);
  await page.getByRole("button", { name: "Close all" }).click();
  await expect.poll(() => page.locator(".changed-file[open]").count(), soon).toBe(0);
  await files.locator("summary").click();
  await files.getByRole("link", { name: "In the chat" }).click();
  await page.locator(".here", { hasText: "hello.txt" }).waitFor();
});

test("pictures and files that came with a message are shown by their names, also after the page is loaded again", async () => {
  const { page, sessionId } = await here().session();
  const attachments = [
    { data: onePixel, mime: "image/png", filename: "plan of the shop.png" },
    { data: "aGVsbG8=", mime: "text/plain", filename: "notes.txt" },
  ];
  await here().daemon.api.post(`/sessions/${sessionId}/messages`, { message: "echo look", attachments });
  const picture = page.getByRole("img", { name: "plan of the shop.png" });
  await picture.waitFor();
  await expect.poll(() => page.evaluate("document.querySelector('img.picture').naturalWidth"), soon).toBe(1);
  await page.locator(".user .file", { hasText: "notes.txt" }).waitFor();
  await page.reload();
  await picture.waitFor();
});

test("the keyboard has a way to everything: past the list, through it, and into a new session", async () => {
  for (let at = 0; at < 3; at++) await here().session({ title: `One of three, ${at}` });
  const page = await here().tab();
  await page.goto(`${here().daemon.api.baseUrl}/inspect`);
  await page.locator(".sessions .session").nth(2).waitFor();
  await page.keyboard.press("Tab");
  expect(await focusOf(page)).toContain("Skip to the content");
  await page.keyboard.press("Enter");
  expect(await focusOf(page)).toContain("main");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  const [first] = await page.locator(".sessions .session-name").allTextContents();
  expect(await focusOf(page)).toContain(first);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: first, exact: true }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).getByText("find a session").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  await page.keyboard.press("n");
  await expect.poll(() => focusOf(page), soon).toContain("radio");
});

test("a session that is not there has no buttons that act on it", async () => {
  const page = await here().tab();
  await page.goto(`${here().daemon.api.baseUrl}/inspect#/session/never-was/chat`);
  await page.getByRole("heading", { name: "This session cannot be shown" }).waitFor();
  for (const name of ["Settings", "End agent", "Delete"])
    expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
});

test("on a phone no word is cut or split, and what acts on a session has its name", async () => {
  const { page, sessionId } = await here().session({ title: "A name that is longer than a phone is wide, by far" });
  await page.setViewportSize({ width: 375, height: 740 });
  await say(page, "permission edit src/a/rather/long/way/to/the/prices.ts");
  await page.getByLabel("Why not").fill("not that file, please");
  await page.keyboard.press("Enter");
  await turnsEnded(page, 1);
  await say(page, "slow 60000");
  await page.getByRole("button", { name: "Interrupt" }).click();
  await page.locator(".turn-end.interrupted").waitFor();
  const split = (await page.evaluate(splitWords)) as string[];
  expect(split).toEqual([]);
  for (const name of ["Settings", "End agent", "Delete"])
    expect(await page.getByRole("button", { name, exact: true }).innerText()).toBe(name);
  await here().show(page, sessionId, "changes");
  expect(await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")).toBe(true);
});

/** What has the focus: its tag, its type and its words. */
function focusOf(page: Page): Promise<string> {
  return page.evaluate(
    "[document.activeElement.tagName.toLowerCase(), document.activeElement.type, document.activeElement.id, document.activeElement.textContent].join(' ')",
  );
}

/** Words of prose that stand on two lines, and facts of the head that are cut. */
const splitWords = `(() => {
  const found = [];
  for (const part of document.querySelectorAll(".request strong, .turn-end span, .pill, .facts span, .note, .user p")) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: word, index } of node.textContent.matchAll(/[A-Za-z]{3,20}/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push("split: " + word);
      }
    }
  }
  for (const fact of document.querySelectorAll(".facts span:not(.wide)"))
    if (fact.scrollWidth > fact.clientWidth + 1 && getComputedStyle(fact).overflow !== "visible") found.push("cut: " + fact.textContent);
  return found;
})()`;

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
