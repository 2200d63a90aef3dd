import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { DaemonHome } from "../../server/test/daemon-process.ts";
import { startRegistry } from "../../server/test/registry.ts";
import { PageHome, say, turnsEnded } from "./page-home.ts";

/** What a person does on the page, in a real browser against a real daemon. */
const { here, test } = await PageHome.forFile();

test("a session is created by the form, and the demo of the mock agent is shown and answered", async () => {
  const page = await here().tab();
  await page.goto(`${here().daemon.api.baseUrl}/inspect`);
  await page.getByRole("link", { name: "New session" }).click();
  await page.getByRole("radio", { name: "Mock" }).check();
  await page.getByLabel("Directory").fill(here().home.path);
  await page.getByLabel("Name").fill("A first try");
  await page.getByLabel("Permission mode").selectOption("default");
  await page.getByRole("button", { name: "Create session" }).click();
  await page.getByRole("heading", { name: "A first try" }).waitFor();
  await say(page, "demo");
  await page.getByRole("button", { name: "Red like a brick" }).click();
  await page.getByText("You answered: Red.").waitFor();
  await page.getByRole("button", { name: "Blue like the sea" }).click();
  await page.getByRole("button", { name: "Cheese" }).click();
  await page.getByRole("button", { name: "Basil" }).click();
  await page.getByRole("button", { name: "Answer" }).click();
  const end = page.locator(".turn-end");
  const allow = page.getByRole("button", { name: "Allow once" });
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  while ((await end.count()) === 0) {
    await end.or(allow).or(approve).first().waitFor();
    if (await allow.isVisible()) await allow.click();
    else if (await approve.isVisible()) await approve.click();
    await page.waitForTimeout(50);
  }
  const list = page.getByRole("region", { name: "Conversation" });
  await list.focus();
  await page.keyboard.press("Home");
  await page.locator(".reasoning summary").first().click();
  await page.locator(".reasoning .markdown", { hasText: "I look at it from two sides" }).first().waitFor();
  await page.getByRole("heading", { name: "A heading" }).waitFor();
  await page.locator(".code .hl-keyword, .code .hl-string, .code .hl-title").first().waitFor();
  await page.locator("section.tool-call", { hasText: "ls" }).first().waitFor();
  await page.locator(".diff .added", { hasText: "+hello" }).first().waitFor();
  await page.locator('.row[data-depth="1"]', { hasText: "I am the helper" }).waitFor();
  await page.getByRole("img", { name: "Given by the agent" }).waitFor();
  await page.getByRole("link", { name: /A first try.*idle.*mock/ }).waitFor();
});

test("a permission is answered by a key, what always grants is shown and is not asked again", async () => {
  const { page, sessionId } = await here().session();
  await say(page, "permission touch a.txt");
  const dock = page.getByRole("region", { name: "The agent asks" });
  await dock.getByText("Run touch a.txt").waitFor();
  await dock.getByText(/Always, in this session: execute touch a\.txt/).waitFor();
  await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/^\(1\)/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await page.getByText("I was allowed to: touch a.txt").waitFor();
  await page.getByText("always allowed").waitFor();
  await say(page, "permission touch a.txt");
  await turnsEnded(page, 2);
  await page.getByText("allowed by rule").waitFor();
  await expect.poll(() => page.title(), { timeout: 30_000 }).toBe("Muster");
  await say(page, "permission edit b.txt");
  await dock.getByLabel("Why not").fill("not that file");
  await page.keyboard.press("Enter");
  await page.getByText("I was not allowed to: change b.txt (not that file)").waitFor();
  const { pendingRequests } = await here().daemon.api.get<{ pendingRequests: number }>(`/sessions/${sessionId}`);
  expect(pendingRequests).toBe(0);
});

test("a question takes an own answer and can be declined", async () => {
  const { page } = await here().session();
  await say(page, "question");
  await page.getByLabel("Your own answer").fill("green");
  await page.getByRole("button", { name: "Answer" }).click();
  await page.getByText("You answered: green.").waitFor();
  await say(page, "question");
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByText(/You declined/).waitFor();
});

test("a plan is sent back with words, edited, and approved", async () => {
  const { page, sessionId } = await here().session({ permissionMode: "plan" });
  await say(page, "plan");
  const plan = page.getByRole("region", { name: "The agent asks" });
  await plan.getByLabel("What to change").fill("a smaller plan");
  await plan.getByRole("button", { name: "Send back" }).click();
  await turnsEnded(page, 1);
  await say(page, "plan");
  await plan.getByRole("button", { name: "Edit the plan" }).click();
  await plan.getByLabel("The plan, to edit").fill("1. only this");
  await plan.getByRole("button", { name: "Approve", exact: true }).click();
  await turnsEnded(page, 2);
  const { events } = await here().daemon.api.get<{ events: { type: string; data: { answers?: string[][] } }[] }>(
    `/sessions/${sessionId}/events?limit=10000`,
  );
  const answers = events.filter(({ type }) => type === "question.resolved").map(({ data }) => data.answers);
  expect(answers).toEqual([[["a smaller plan"]], [["approve"]]]);
});

test("a turn is steered, what is queued is taken back, and an interrupt ends it", async () => {
  const { page } = await here().session();
  await say(page, "slow 60000");
  await page.getByText("tick").first().waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("a word on the way");
  await page.keyboard.press("Control+Enter");
  await page.getByText("[you added: a word on the way]").waitFor();
  await say(page, "echo never");
  const queue = page.getByRole("list", { name: "Queued messages" });
  await queue.getByText("echo never").waitFor();
  await queue.getByRole("button", { name: "Take back" }).click();
  await page.getByText("A message was taken back").waitFor();
  await page.getByRole("button", { name: "Interrupt" }).click();
  await page.locator(".turn-end.interrupted").waitFor();
});

test("messages written faster than they are sent all arrive, in their order", async () => {
  const { page, sessionId } = await here().session();
  const words = Array.from({ length: 8 }, (_, n) => `echo message ${n}`);
  for (const text of words) await say(page, text);
  const given = async () => {
    type Answer = { messages: { role: string; parts: { text?: string }[] }[] };
    const { messages } = (await here().daemon.api.get(`/sessions/${sessionId}/messages`)) as Answer;
    return messages.filter(({ role }) => role === "user").map(({ parts }) => parts[0]?.text);
  };
  await expect.poll(given, { timeout: 60_000 }).toEqual(words);
});

test("files are attached by the picker, by drop and by paste, and go with the message", async () => {
  const { page, sessionId } = await here().session();
  const file = join(here().home.path, "note.txt");
  await writeFile(file, "a note");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles(file);
  const attached = page.getByRole("list", { name: "Attached files" });
  await attached.getByText("note.txt").waitFor();
  await page.evaluate(`(() => {
    const give = (name) => { const data = new DataTransfer(); data.items.add(new File(["x"], name, { type: "text/plain" })); return data; };
    document.querySelector(".composer").dispatchEvent(new DragEvent("drop", { dataTransfer: give("dropped.txt"), bubbles: true, cancelable: true }));
    document.querySelector(".composer textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData: give("pasted.txt"), bubbles: true, cancelable: true }));
  })()`);
  for (const name of ["note.txt", "dropped.txt", "pasted.txt"]) await attached.getByText(name).waitFor();
  await attached.getByRole("button", { name: "Remove dropped.txt" }).click();
  await say(page, "echo with files");
  await turnsEnded(page, 1);
  const { events } = await here().daemon.api.get<{ events: { data: { attachments?: { filename: string }[] } }[] }>(
    `/sessions/${sessionId}/events?limit=100`,
  );
  const sent = events.find(({ data }) => data.attachments !== undefined)?.data.attachments;
  expect(sent?.map(({ filename }) => filename)).toEqual(["note.txt", "pasted.txt"]);
});

test("two tabs answer the same permission: the first wins, the second is told", async () => {
  const { page: one, sessionId } = await here().session();
  const other = await here().tab();
  await here().show(other, sessionId);
  await say(one, "permission touch once");
  const allow = other.getByRole("button", { name: "Allow once" });
  await allow.waitFor();
  // The second answers before it has heard of the first: its stream is held back.
  await other.route("**/permissions/*/reply", async (route) => {
    await one.getByRole("button", { name: "Reject" }).click();
    await one.getByText("I was not allowed to: touch once").waitFor();
    await route.continue();
  });
  await allow.click();
  await other.getByText("It has been answered already").waitFor();
  await other.getByText("I was not allowed to: touch once").waitFor();
});

test("the daemon is killed and started again under the open page: it reconnects and shows everything once", async () => {
  const { page } = await here().session();
  await say(page, "echo before the kill");
  await turnsEnded(page, 1);
  await say(page, "slow 600000");
  await page.getByText("tick").first().waitFor();
  await here().home.kill();
  await page.locator(".connection.reconnecting").waitFor();
  await here().restart();
  await page.locator(".connection.live").waitFor();
  await turnsEnded(page, 2);
  await say(page, "echo after the kill");
  await turnsEnded(page, 3);
  for (const text of ["before the kill", "after the kill"]) {
    expect(await page.locator(".message", { hasText: text }).count()).toBe(1);
    expect(await page.locator(".user", { hasText: text }).count()).toBe(1);
  }
});

test("a session is renamed, its agent terminated, and it is deleted after a question", async () => {
  const { page } = await here().session();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Another name");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Another name" }).waitFor();
  await page.getByRole("button", { name: "End agent" }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await page.getByText("The agent has ended").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Muster" }).waitFor();
  await page.getByRole("link", { name: /Another name/ }).waitFor({ state: "detached" });
});

test("events are numbered, found, shown whole and raw, copied, and lead to their place in the chat and back", async () => {
  await here().context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { page, sessionId } = await here().session();
  await say(page, "tool");
  await turnsEnded(page, 1);
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByLabel("Type of event").selectOption("turn.ended");
  await page.locator(".event .type", { hasText: "turn.ended" }).waitFor();
  expect(await page.locator(".event").count()).toBe(1);
  await page.getByLabel("Type of event").selectOption("");
  await page.getByLabel("Find in events").fill("There are two entries.");
  await page.locator(".event", { hasText: "item.completed" }).click();
  await page.getByRole("button", { name: "The agent's own message" }).click();
  await page.locator(".detail .code").nth(1).waitFor();
  for (const name of ["curl", "TypeScript", "Python"]) {
    await page.getByRole("button", { name: `Copy as ${name}` }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(sessionId);
  }
  await page.getByRole("link", { name: "In the chat" }).click();
  await page.locator(".here", { hasText: "There are two entries." }).waitFor();
  await page.locator(".here .sequence").focus();
  await page.keyboard.press("Enter");
  await page.locator('.event[aria-current="true"]').waitFor();
});

test("charts: a turn to scale with tools and waiting, and usage", async () => {
  const { page } = await here().session({ directory: here().home.path });
  await say(page, "file");
  await turnsEnded(page, 1);
  await say(page, "permission touch a");
  await page.getByRole("button", { name: "Allow once" }).click();
  await turnsEnded(page, 2);
  await page.getByRole("link", { name: "Charts" }).click();
  await page.getByRole("img", { name: /A turn of .* waiting for a person/ }).waitFor();
  expect(await page.locator(".span.person").count()).toBe(1);
  // A tool that asked has two: what it did before, and what it did after the answer.
  expect(await page.locator(".span.tool").count()).toBe(2);
  await page.getByRole("img", { name: /Tokens per turn/ }).waitFor();
});

test("an agent is installed, and one that cannot be had says why", async () => {
  const registry = await startRegistry("1.2.3");
  const home = await DaemonHome.make({
    args: ["--agent-source", "opencode=npm", "--agent-source", "codex=npm"],
    env: { npm_config_registry: registry.url },
  });
  const context = await here().browser.newContext();
  try {
    const daemon = await home.start();
    await here().enter(context, daemon);
    const page = await here().tab(context);
    await page.goto(`${daemon.api.baseUrl}/inspect#/agents`);
    await page.getByRole("button", { name: "Install now OpenCode" }).click();
    await page.locator(".card", { hasText: "OpenCode" }).getByText("1.2.3").first().waitFor();
    await page.getByRole("button", { name: "Update OpenCode" }).waitFor();
    await page.getByRole("button", { name: "Install now Codex" }).click();
    await page.locator(".card", { hasText: "Codex" }).getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Install now Codex" }).waitFor();
  } finally {
    await context.close();
    await home.remove();
    await registry.close();
  }
});

test("agents and the daemon: versions, features, credentials, metrics, requests as curl", async () => {
  const page = await here().tab();
  await page.goto(`${here().daemon.api.baseUrl}/inspect#/agents`);
  await page.getByRole("heading", { name: "Claude Code" }).waitFor();
  await page.getByRole("rowheader", { name: "plan approval" }).waitFor();
  await page.getByText("anthropic").first().waitFor();
  await page.getByRole("link", { name: "Daemon" }).click();
  await page.getByText("sandbox-daemon").first().waitFor();
  await page.getByText("batch").waitFor();
  await page.locator(".metrics .sparkline").nth(3).waitFor();
  await page.locator(".requests code", { hasText: "/agents'" }).first().waitFor();
  expect(await page.locator(".requests code", { hasText: "page." }).count()).toBe(0);
});

test("opened in the middle of a long turn: it can be interrupted, what it asks is asked, what is queued can be taken back", async () => {
  const { page, sessionId } = await here().session();
  const { api } = here().daemon;
  await say(page, "permission touch early.txt");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await api.post(`/sessions/${sessionId}/messages`, { message: "echo queued early" });
  // More than the first screen reads.
  for (let at = 0; at < 170; at++) {
    const { messageId } = await api.post<{ messageId: string }>(`/sessions/${sessionId}/messages`, {
      message: "echo x",
    });
    await api.ask("DELETE", `/sessions/${sessionId}/messages/${messageId}`);
  }
  await page.reload();
  await page.locator(".connection.live").waitFor();
  const queue = page.getByRole("list", { name: "Queued messages" });
  await queue.getByText("echo queued early").waitFor();
  await queue.getByRole("button", { name: "Take back" }).click();
  await queue.waitFor({ state: "hidden" });
  // Nothing is looked for further back now: what waits is known from the daemon.
  await page.reload();
  await page.getByRole("button", { name: "Interrupt" }).waitFor();
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.getByText("I was allowed to: touch early.txt").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Interrupt" }).count(), { timeout: 30_000 }).toBe(0);
});

const keyPlace = "muster.key";

/** A tab that was let in, whose browser now keeps a key that is no good. */
async function spoiledKey() {
  const page = await here().tab();
  const keep = (key: string) => page.evaluate(`localStorage.setItem("${keyPlace}", "${key}")`);
  await page.goto(`${here().daemon.api.baseUrl}/inspect`);
  await page.getByRole("link", { name: "Agents" }).waitFor();
  const good = (await page.evaluate(`localStorage.getItem("${keyPlace}")`)) as string;
  await keep("page.old");
  return { page, good, keep };
}

test("a tab that waits to be let in opens when another tab is", async () => {
  const { good, keep } = await spoiledKey();
  const waiting = await here().tab();
  await waiting.goto(`${here().daemon.api.baseUrl}/inspect#/agents`);
  await waiting.getByLabel("Token").waitFor();
  await keep(good);
  await waiting.getByRole("heading", { name: "What each can do" }).waitFor();
});

test("a tab whose key is no good any more takes the one another tab was let in with, and leaves it alone", async () => {
  const { page, good, keep } = await spoiledKey();
  const old = await here().tab();
  // It holds its requests back until the other tab has been let in again.
  let letGo = () => {};
  const isLetIn = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await old.route("**/sessions?*", async (route) => {
    await isLetIn;
    await route.continue();
  });
  await old.goto(`${here().daemon.api.baseUrl}/inspect#/agents`);
  await keep(good);
  letGo();
  await old.getByRole("heading", { name: "What each can do" }).waitFor();
  expect(await page.evaluate(`localStorage.getItem("${keyPlace}")`)).toBe(good);
});
