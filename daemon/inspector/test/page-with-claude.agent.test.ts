import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { startBrowser } from "../../../test/browser.ts";
import { ClaudeHome } from "../../server/test/agents/claude/claude-home.ts";

/** The real Claude Code on the scripted model, driven from the page alone once its session is there. */
const { claude, test } = await ClaudeHome.forFile();

test("a permission is asked on the page, the change is shown, the file is changed, and two edits are one change", async () => {
  const browser = await startBrowser();
  if ("reason" in browser) return void process.stderr.write(`skipped: ${browser.reason}\n`);
  try {
    const directory = await claude.directory();
    const file = join(directory, "greeting.txt");
    await writeFile(file, "hello\nworld\n");
    const session = await claude.begin(
      [
        { tools: [{ name: "Read", native: true, input: { file_path: file } }] },
        {
          tools: [{ name: "Edit", native: true, input: { file_path: file, old_string: "world", new_string: "page" } }],
        },
        {
          tools: [{ name: "Edit", native: true, input: { file_path: file, old_string: "page", new_string: "house" } }],
        },
        { text: "It is **changed**." },
      ],
      { directory, limits: { budgetUsd: 5 } },
    );
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${claude.daemon.api.baseUrl}/inspect#/session/${session.talk.sessionId}/chat`);
    await page.getByRole("textbox", { name: "Message" }).fill("Change the greeting");
    await page.keyboard.press("Enter");
    const dock = page.getByRole("region", { name: "The agent asks" });
    await dock.getByRole("heading", { name: "Edit greeting.txt" }).waitFor();
    await dock.locator(".diff .added", { hasText: "+page" }).waitFor();
    expect(await readFile(file, "utf8")).toBe("hello\nworld\n");
    await dock.getByRole("button", { name: "Allow once" }).click();
    await dock.locator(".diff .added", { hasText: "+house" }).waitFor();
    expect(await readFile(file, "utf8")).toBe("hello\npage\n");
    await dock.getByRole("button", { name: "Allow once" }).click();
    await page.locator(".message strong", { hasText: "changed" }).waitFor();
    await page.locator(".tool-call .diff .removed", { hasText: "-world" }).waitFor();
    expect(await readFile(file, "utf8")).toBe("hello\nhouse\n");
    await page.getByRole("link", { name: "Changes" }).click();
    await page.locator(".changed-file", { hasText: "greeting.txt" }).getByText("2 edits as one").waitFor();
    const lines = page.locator(".changed-file .line:is(.added, .removed)");
    expect(await lines.allTextContents()).toEqual(["-world\n", "+house\n"]);
    // What the turn cost and each of its model requests, of the budget.
    await page.locator(".facts", { hasText: "of $5.00" }).waitFor();
    await page.goto(`${claude.daemon.api.baseUrl}/inspect#/session/${session.talk.sessionId}/pictures`);
    const requests = page.getByRole("region", { name: "Model requests" });
    await requests.getByText(/^4, .*\$\S+ of \$5\.00$/).waitFor();
    expect(await requests.locator("tbody tr").count()).toBe(4);
    await claude.finish(session);
  } finally {
    await browser.close();
  }
});
