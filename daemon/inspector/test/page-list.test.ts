import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { PageHome } from "./page-home.ts";

/** The list of sessions when there are more than one page of it holds. */
const { here, test } = await PageHome.forFile();

test("a session that waits is counted and listed first behind 120 newer ones, and older ones are found by the daemon", async () => {
  const { api } = here().daemon;
  const create = (id: string, body: object = {}) => api.post(`/sessions/${id}`, { agent: "mock", ...body });
  await create("waits", { title: "Asks for leave" });
  await api.post("/sessions/waits/messages", { message: "permission touch a" });
  const shop = join(here().home.path, "shop");
  await mkdir(shop);
  await create("old", { directory: shop });
  await api.post("/sessions/old/messages", { message: "echo mend the login form" });
  await here().idle("old", 3);
  for (let at = 0; at < 120; at++) await create(`new-${at}`);
  const page = await here().tab();
  await page.goto(`${api.baseUrl}/inspect`);
  await page.getByText("1 session waits for you").waitFor();
  await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/^\(1\) waiting/);
  const rows = page.locator(".sessions .session");
  expect(await rows.first().textContent()).toContain("Asks for leave");
  expect(await rows.count()).toBe(100);
  const find = page.getByLabel("Find a session");
  await find.fill("LOGIN form");
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(1);
  expect(await rows.first().textContent()).toContain("mend the login form");
  await find.fill("no such words");
  await page.getByText("Nothing found for “no such words”").waitFor();
  await page.getByRole("button", { name: "Show all sessions" }).click();
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(100);
  await page.getByLabel("Filter by state").selectOption("waiting");
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(1);
  await page.getByLabel("Filter by state").selectOption("");
  await page.getByLabel("Filter by folder").selectOption(shop);
  await expect
    .poll(() => rows.allTextContents(), { timeout: 30_000 })
    .toEqual([expect.stringContaining("mend the login form")]);
});
