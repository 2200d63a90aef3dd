import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { PageHome } from "./page-home.ts";

/** The files of a session, as a person sees them in a real browser. */
const { here, test } = await PageHome.forFile();

/** One red point. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

function makeFiles(name: string): string {
  const directory = join(here().home.path, name);
  mkdirSync(join(directory, "src", "deep"), { recursive: true });
  writeFileSync(join(directory, "src", "code.ts"), 'export const said = "hello";\n');
  writeFileSync(
    join(directory, "src", "deep", "odd \u202e<img src=x onerror=alert(1)>.txt"),
    "<script>alert(1)</script>",
  );
  writeFileSync(join(directory, "point.png"), Buffer.from(picture, "base64"));
  writeFileSync(join(directory, "bytes.bin"), Buffer.from([0, 1, 2]));
  writeFileSync(join(directory, "empty"), "");
  symlinkSync("/etc", join(directory, "out"));
  return directory;
}

test("directories are walked, and pictures, texts and bytes are shown for what they are", async () => {
  const { page, sessionId } = await here().session({ directory: makeFiles("walked") });
  await page.getByRole("link", { name: "Files", exact: true }).click();
  const list = page.getByRole("region", { name: "Files" });
  const content = page.getByRole("region", { name: "Content of the file" });
  await list.getByRole("link", { name: "src/" }).click();
  await list.getByRole("link", { name: "code.ts" }).click();
  await content.getByText('"hello"').waitFor();
  await list.getByRole("link", { name: "deep/" }).click();
  await list.getByRole("link", { name: /odd/ }).click();
  await content.getByText("<script>alert(1)</script>").waitFor();
  await list.getByRole("link", { name: "session" }).click();
  await list.getByRole("link", { name: "point.png" }).click();
  const shown = content.getByRole("img", { name: "point.png" });
  await shown.waitFor();
  await expect
    .poll(() => page.evaluate<number>(`document.querySelector(".file-content img").naturalWidth`), { timeout: 30_000 })
    .toBe(1);
  await list.getByRole("link", { name: "bytes.bin" }).click();
  await content.getByText("These bytes are no text.").waitFor();
  await list.getByRole("link", { name: "empty" }).click();
  await content.getByText("0 B").waitFor();
  await here().show(page, sessionId, "files?at=out%2F");
  await list.getByText(/may be reached/).waitFor();
});

test("what the agent changed in a file stands beside its content", async () => {
  const directory = makeFiles("changed");
  // The mock only says that it wrote it.
  writeFileSync(join(directory, "hello.txt"), "hello\n");
  const { page, sessionId } = await here().session({ directory });
  await here().daemon.api.post(`/sessions/${sessionId}/messages`, { message: "file" });
  await here().idle(sessionId);
  await page.getByRole("link", { name: "Files", exact: true }).click();
  await page.getByRole("region", { name: "Files" }).getByRole("link", { name: "hello.txt" }).click();
  const content = page.getByRole("region", { name: "Content of the file" });
  await content.getByText("What the agent changed").waitFor();
  await content.locator(".diff .added", { hasText: "+hello" }).waitFor();
});
