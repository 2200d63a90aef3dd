/** The page at /inspect in a real browser: how soon it is there, and whether a long session holds it up. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { startDaemon } from "./daemon.mjs";
import { median } from "./statistics.mjs";

const program = "/usr/bin/chromium";
const mostPaintMs = 300;
const mostOpenMs = 1_000;
const mostTaskMs = 50;
const scrollMs = 5_000;

export async function run({ report, say, rounds, scale }) {
  if (!existsSync(program)) return say("no chromium here (apt-get install -y chromium)");
  const daemon = await startDaemon();
  const browser = await chromium.launch({
    executablePath: program,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"],
  });
  try {
    const address = `http://127.0.0.1:${daemon.port}/inspect`;
    const paints = [];
    for (let round = 0; round < rounds(5); round++) paints.push(await paintOf(browser, address));
    const paint = median(paints);
    report({
      name: "page: first paint",
      value: paint,
      unit: "ms",
      budget: `≤ ${mostPaintMs} ms`,
      ok: paint <= mostPaintMs,
      note: "median, each in a browser that has nothing of the page yet",
    });
    const count = scale(50_000);
    await daemon.create("long");
    for (let sent = 0; sent < count; sent += 1_000) {
      say(`${sent} of ${count} events`);
      await daemon.stream("long", "burst 1000 8");
    }
    const { openMs, longestMs } = await lookAt(browser, `${address}#/session/long/chat`);
    report({
      name: `page: a session of ${count} events, its last screen`,
      value: openMs,
      unit: "ms",
      budget: `≤ ${mostOpenMs} ms`,
      ok: openMs <= mostOpenMs,
    });
    report({
      name: "page: longest task while it is scrolled for 5 s",
      value: longestMs,
      unit: "ms",
      budget: `≤ ${mostTaskMs} ms`,
      ok: longestMs <= mostTaskMs,
      note: "of those the browser counts as long, above 50 ms; 0 when there is none",
    });
  } finally {
    await browser.close();
    await daemon.stop();
  }
}

async function paintOf(browser, address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.locator(".sidebar").waitFor();
  const ms = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0");
  await context.close();
  return ms;
}

async function lookAt(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const started = performance.now();
  await page.goto(address);
  await page.locator(".turn-end").last().waitFor();
  const openMs = performance.now() - started;
  await page.locator(".connection.live").waitFor();
  await page.evaluate(`window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: "longtask" });`);
  await page.mouse.move(800, 300);
  for (const end = performance.now() + scrollMs; performance.now() < end; ) {
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(50);
  }
  const longestMs = await page.evaluate("window.longest");
  await page.close();
  return { openMs, longestMs };
}
