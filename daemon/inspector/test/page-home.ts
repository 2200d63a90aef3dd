import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startBrowser } from "../../../test/browser.ts";
import { DaemonHome, type DaemonProcess } from "../../server/test/daemon-process.ts";

/** A daemon with a token on a port of its own, and a browser that was let in by the link it printed. */
export class PageHome {
  readonly home: DaemonHome;
  readonly browser: Browser;
  readonly #problems: string[] = [];
  daemon: DaemonProcess;
  context: BrowserContext;
  #sessions = 0;

  /** For one file of tests: starts, ends, and after each test says what went wrong inside the pages. */
  static async forFile() {
    const browser = await startBrowser();
    const isThere = !("reason" in browser);
    if (!isThere) process.stderr.write(`skipped: ${browser.reason}\n`);
    let home: PageHome | undefined;
    beforeAll(async () => {
      if (isThere) home = await PageHome.start(browser);
    });
    afterEach(async () => {
      // Also after a failure: a tab that is left open holds one of the few connections.
      for (const page of home?.context.pages() ?? []) await page.close();
      expect(home?.takeProblems() ?? []).toEqual([]);
    });
    afterAll(async () => {
      await home?.close();
    });
    const here = () => {
      if (home === undefined) throw new Error("There is no browser");
      return home;
    };
    return { here, test: test.runIf(isThere) };
  }

  static async start(browser: Browser): Promise<PageHome> {
    const home = await DaemonHome.make({ args: ["--port", `${await freePort()}`] });
    const daemon = await home.start();
    const page = new PageHome(
      browser,
      home,
      daemon,
      await browser.newContext({ viewport: { width: 1280, height: 800 } }),
    );
    await page.enter(page.context, daemon);
    return page;
  }

  private constructor(browser: Browser, home: DaemonHome, daemon: DaemonProcess, context: BrowserContext) {
    this.browser = browser;
    this.home = home;
    this.daemon = daemon;
    this.context = context;
  }

  /** The sessions of a browser that has opened the link. */
  async enter(context: BrowserContext, daemon: DaemonProcess): Promise<void> {
    const page = await this.tab(context);
    await page.goto(/http\S+\/inspect#ticket=\S+/.exec(daemon.stdout)?.[0] ?? "");
    await page.getByRole("link", { name: "Agents" }).waitFor();
    await page.close();
  }

  /** A tab whose errors, and whatever its policy had to refuse, are collected. */
  async tab(context: BrowserContext = this.context): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on("pageerror", ({ message }) => this.#problems.push(message));
    page.on("console", (message) => {
      const text = message.text();
      // A daemon that is killed under the page is what the page has to live with.
      if (message.type() === "error" && !/Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE/.test(text)) {
        this.#problems.push(text);
      }
    });
    await page.addInitScript(
      `document.addEventListener("securitypolicyviolation", (event) => console.error("policy: " + event.violatedDirective + " " + event.blockedURI));`,
    );
    return page;
  }

  /** A session of the mock agent, and a tab that shows it. */
  async session(body: Record<string, unknown> = {}): Promise<{ page: Page; sessionId: string }> {
    const sessionId = `s${++this.#sessions}`;
    await this.daemon.api.post(`/sessions/${sessionId}`, { agent: "mock", ...body });
    const page = await this.tab();
    await this.show(page, sessionId);
    return { page, sessionId };
  }

  async show(page: Page, sessionId: string, view = "chat"): Promise<void> {
    await page.goto(`${this.daemon.api.baseUrl}/inspect#/session/${sessionId}/${view}`);
    await page.locator(".connection.live").waitFor();
  }

  /** Until everything that was sent to a session has been answered. */
  async idle(sessionId: string, lastSequence = 0): Promise<number> {
    let session = { state: "", queued: 0, lastSequence: 0 };
    const isDone = async () => {
      session = await this.daemon.api.get(`/sessions/${sessionId}`);
      return session.state === "idle" && session.queued === 0 && session.lastSequence > lastSequence;
    };
    await expect.poll(isDone, { timeout: 100_000, interval: 100 }).toBe(true);
    return session.lastSequence;
  }

  async restart(): Promise<void> {
    await this.home.kill();
    const token = this.daemon.token;
    this.daemon = await this.home.start();
    if (token !== undefined) this.daemon.useToken(token);
  }

  takeProblems(): string[] {
    return this.#problems.splice(0);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.home.remove();
  }
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

/** Until this many turns have ended. */
export async function turnsEnded(page: Page, count: number): Promise<void> {
  await page
    .locator(".turn-end")
    .nth(count - 1)
    .waitFor();
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
