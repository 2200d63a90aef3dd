import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { DaemonHome } from "../../server/test/daemon-process.ts";
import { PageHome, say, turnsEnded } from "./page-home.ts";

/** Whom the page can be turned against, and for whom it works. */
const { here, test } = await PageHome.forFile();

test("what an agent writes stays text: markup, links that run, pictures, colours, unseen characters, a line of 10 MB", async () => {
  const { page, sessionId } = await here().session();
  const hostile = [
    "<script>document.title = 'taken'</script>",
    "<img src=x onerror=\"document.title='taken'\">",
    '<svg onload="document.title=1"><a href="javascript:alert(1)">x</a></svg>',
    "[run](javascript:document.title='taken') [data](data:text/html,<script>x</script>) ![p](http://127.0.0.1:1/p.png)",
    "<iframe srcdoc='<script>parent.document.title=1</script>'></iframe> &lt;b&gt;",
    "\u001b[31mred\u001b[0m \u202efdp.exe\u202c zero\u200bwidth",
  ].join("\n\n");
  await say(page, `echo ${hostile}`);
  await turnsEnded(page, 1);
  const said = page.locator(".message").last();
  await said.getByText("<script>document.title = 'taken'</script>").waitFor();
  await said.getByText("U+202E").first().waitFor();
  await said.getByText("U+200B").first().waitFor();
  await said.getByText("(javascript:document.title='taken')").waitFor();
  expect(
    await said.locator("script, img, svg, iframe, [onerror], a[href^='javascript'], a[href^='data']").count(),
  ).toBe(0);
  await say(page, "permission echo \u202egpj.exe");
  await page.locator(".dock .unseen", { hasText: "U+202E" }).first().waitFor();
  await page.getByRole("button", { name: "Reject" }).click();
  const before = await here().idle(sessionId);
  await say(page, "long-line 10000000");
  await here().idle(sessionId, before + 2);
  await say(page, "echo still here");
  await page.locator(".message", { hasText: "still here" }).waitFor();
  expect(await page.title()).toMatch(/Muster/);
});

test("pages of other ports and names can neither read nor write, frame, or find a key; there are no cookies", async () => {
  const open = await DaemonHome.make({ args: ["--no-token"] });
  const server = createServer((_, response) => {
    response
      .writeHead(200, { "content-type": "text/html", "set-cookie": "theirs=1; path=/" })
      .end("<body>elsewhere</body>");
  });
  try {
    const { api } = await open.start();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const context = await here().browser.newContext();
    const page = await context.newPage();
    for (const host of ["127.0.0.1", "localhost"]) {
      await page.goto(`http://${host}:${port}/`);
      const tried = await page.evaluate(`(${tryEverything})(${JSON.stringify(api.baseUrl)})`);
      expect(tried).toEqual({ read: "refused", write: "refused", blind: "opaque", frame: "empty" });
    }
    expect(await api.get("/sessions")).toEqual({ sessions: [], hasMore: false });
    await context.close();
    expect((await here().context.cookies()).length).toBe(0);
    const other = await here().tab();
    await other.goto(`${here().daemon.api.baseUrl.replace("127.0.0.1", "localhost")}/inspect`);
    await other.getByLabel("Or the daemon's token").fill("made up");
    await other.getByRole("button", { name: "Enter" }).click();
    await other.getByRole("alert").filter({ hasText: "not valid" }).waitFor();
    await other.getByLabel("Or the daemon's token").fill(here().daemon.token ?? "");
    await other.getByRole("button", { name: "Enter" }).click();
    await other.getByRole("link", { name: "Agents" }).waitFor();
    expect((await here().context.cookies()).length).toBe(0);
    here().takeProblems();
  } finally {
    server.close();
    await open.remove();
  }
});

test("everybody can use it: nothing serious is found by axe in light and dark, nor does anything leave a phone's screen", async () => {
  const { page, sessionId } = await here().session({ directory: here().home.path });
  for (const text of ["markdown", "tool", "file", "reasoning"]) await say(page, text);
  await here().idle(sessionId, 20);
  await say(page, "permission edit src/a.ts");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  const views = [
    `session/${sessionId}/chat`,
    `session/${sessionId}/events?at=3`,
    `session/${sessionId}/changes`,
    `session/${sessionId}/pictures`,
    "new",
    "agents",
    "daemon",
    "",
  ];
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const view of views) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${here().daemon.api.baseUrl}/inspect#/${view}`);
      await page.locator("main").first().waitFor();
      await page.waitForTimeout(300);
      await page.evaluate(axe.source);
      const found = (await page.evaluate(runAxe)) as string[];
      expect([theme, view, found]).toEqual([theme, view, []]);
      await page.setViewportSize({ width: 375, height: 720 });
      const wide = (await page.evaluate(
        "document.scrollingElement.scrollWidth > innerWidth ? document.scrollingElement.scrollWidth : 0",
      )) as number;
      expect([view, wide]).toEqual([view, 0]);
    }
  }
});

test("the whole flow goes by the keyboard alone", async () => {
  const page = await here().tab();
  await page.goto(`${here().daemon.api.baseUrl}/inspect`);
  await page.getByRole("link", { name: "Agents" }).waitFor();
  await page.keyboard.press("n");
  await page.getByRole("radio", { name: "Mock" }).waitFor();
  while (!(await page.getByRole("radio", { name: "Mock" }).isChecked())) await page.keyboard.press("ArrowDown");
  await tabTo(page, "button[type=submit]");
  await page.keyboard.press("Enter");
  await page.locator(".connection.live").waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("permission touch by-keyboard");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("y");
  await page.getByText("I was allowed to: touch by-keyboard").waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("question");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Red like a brick" }).waitFor();
  await tabTo(page, ".option", true);
  await page.keyboard.press("Enter");
  await page.getByText(/You answered: (Red|Blue)/).waitFor();
  await tabTo(page, '.tabs a[href$="/events"]');
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Events", exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("no such session");
  await expect.poll(() => page.locator(".sessions .session").count(), { timeout: 30_000 }).toBe(0);
});

test("a session of 50,000 events: the last screen first, all of it on demand, each event once", async () => {
  const { page, sessionId } = await here().session();
  const { api } = here().daemon;
  for (let turn = 0; turn < 50; turn++) await api.post(`/sessions/${sessionId}/messages`, { message: "burst 1000 8" });
  const lastSequence = await here().idle(sessionId, 50_000);
  await page.reload();
  await page.locator(".turn-end").last().waitFor();
  expect(await page.locator(".row").count()).toBeLessThan(100);
  await here().show(page, sessionId, "events");
  await page.locator(".event .number", { hasText: String(lastSequence) }).waitFor();
  await page.getByLabel("Find in events").fill("turn_50");
  await page.getByLabel("Type of event").selectOption("turn.started");
  await page.getByText(`1 of ${lastSequence}`).waitFor();
  await page.getByLabel("Find in events").fill("");
  await page.getByText(`50 of ${lastSequence}`).waitFor();
  const numbers = await page.locator(".event .number").allTextContents();
  expect(new Set(numbers).size).toBe(numbers.length);
  await page.getByRole("link", { name: "Chat" }).click();
  const list = page.getByRole("region", { name: "Conversation" });
  await list.focus();
  await page.keyboard.press("Home");
  await page.locator(".row", { hasText: /^1mock/ }).waitFor();
});

test("the first load is small, and what colours code comes later", () => {
  const folder = fileURLToPath(new URL("../dist/page", import.meta.url));
  const sizeOf = (names: string[]) =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(`${folder}/${name}`)).length, 0);
  const names = readdirSync(folder);
  const lazy = names.filter((name) => name.startsWith("highlighter-"));
  expect(lazy.length).toBe(1);
  expect(sizeOf(lazy)).toBeLessThanOrEqual(30_000);
  expect(sizeOf(names.filter((name) => !lazy.includes(name)))).toBeLessThanOrEqual(80_000);
});

/** Runs in the page of a stranger. */
const tryEverything = `async (daemon) => {
  const said = (promise) => promise.then((response) => response.type === "opaque" ? "opaque" : "got it", () => "refused");
  const json = { "content-type": "application/json" };
  const frame = document.createElement("iframe");
  const loaded = new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 2000); });
  frame.src = daemon + "/inspect";
  document.body.append(frame);
  await loaded;
  let inside = "empty";
  try { if (frame.contentDocument !== null && frame.contentDocument.body.textContent !== "") inside = "seen"; } catch { inside = "empty"; }
  return {
    read: await said(fetch(daemon + "/sessions")),
    write: await said(fetch(daemon + "/sessions/theirs", { method: "POST", headers: json, body: JSON.stringify({ agent: "mock" }) })),
    blind: await said(fetch(daemon + "/sessions/theirs", { method: "POST", mode: "no-cors", body: JSON.stringify({ agent: "mock" }) })),
    frame: inside,
  };
}`;

const runAxe = `axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
  .then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")))`;

/** Presses Tab, or Shift+Tab, until something that matches has the focus. */
async function tabTo(page: Page, selector: string, isBackwards = false): Promise<void> {
  for (let tries = 0; tries < 80; tries++) {
    await page.keyboard.press(isBackwards ? "Shift+Tab" : "Tab");
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}
