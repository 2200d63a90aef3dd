import { expect } from "vitest";
import { PageHome, say, turnsEnded } from "./page-home.ts";

const { here, test } = await PageHome.forFile();

test("the timeline rewinds a session after it was shown what that does, and forks it", async () => {
  const { page, sessionId } = await here().session();
  await say(page, "echo one");
  await turnsEnded(page, 1);
  await say(page, "echo two");
  await turnsEnded(page, 2);
  await page.getByRole("link", { name: "Timeline" }).click();
  const first = page.locator(".timeline li", { hasText: "Turn 1" });
  await first.getByRole("button", { name: "Rewind to here" }).click();
  await first.getByText(/1 turns? go/).waitFor();
  await first.getByRole("button", { name: "Rewind", exact: true }).click();
  await page.locator(".timeline li.rewound", { hasText: "Turn 2" }).waitFor();
  await page.getByRole("link", { name: "Chat" }).click();
  await page.getByText(/rewound to the end of turn 1/).waitFor();
  expect(await page.locator(".row.rewound").count()).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Timeline" }).click();
  await first.getByRole("button", { name: "Fork from here" }).click();
  await page.waitForURL(new RegExp(`${sessionId}-fork-`));
  await page.getByText(/goes on by itself, from turn 1 of/).waitFor();
});

test("the timeline hands a session over to another agent, and says what that one is told", async () => {
  const { page, sessionId } = await here().session();
  await say(page, "echo one");
  await turnsEnded(page, 1);
  await page.getByRole("link", { name: "Timeline" }).click();
  const form = page.locator("form", { hasText: "Hand over to" });
  const button = form.getByRole("button", { name: "Hand over" });
  expect(await button.isDisabled()).toBe(true);
  await form.getByRole("combobox").selectOption({ value: "amp" });
  await button.click();
  await form.getByText(/amp goes on: it is told in short/).waitFor();
  const { api } = here().daemon;
  expect(await api.get(`/sessions/${sessionId}`)).toMatchObject({ agent: "amp" });
  const log = await api.log(sessionId);
  const changed = log.flatMap((event) => (event.type === "agent.changed" ? [event.data] : []));
  expect(changed).toMatchObject([{ from: "mock", to: "amp", how: "digest" }]);
});
