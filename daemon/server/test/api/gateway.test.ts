import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import type { Session, UsageReport } from "@muster/schema";
import { expect, it, onTestFinished } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

async function homeWith(args: string[], env: Record<string, string> = {}): Promise<DaemonHome> {
  const home = await DaemonHome.make({ args: ["--no-token", ...args], env });
  onTestFinished(() => home.remove());
  return home;
}

it("a daemon says whether agents reach their models through it, and a session who holds its key", async () => {
  const { api } = await (await homeWith([])).start();
  expect(await api.get("/")).toMatchObject({ gateway: true });
  const talk = await Conversation.open(api, { limits: { budgetUsd: 5, budgetTokens: 100 }, budgetGroup: "herons" });
  await talk.say("echo hello");
  // The mock agent asks no model.
  expect(await api.get<Session>(talk.path)).toMatchObject({
    keys: "none",
    limits: { budgetUsd: 5, budgetTokens: 100 },
    budgetGroup: "herons",
  });
  const nothing = { requests: 0, tokens: { input: 0, cached: 0, output: 0, reasoning: 0 }, listUsd: 0 };
  expect(await api.get<UsageReport>(`${talk.path}/usage`)).toEqual({
    ...nothing,
    byModel: [],
    byTurn: [],
    bySubAgent: [],
  });
  await talk.finish();
  const without = await (await homeWith(["--no-gateway"])).start();
  expect(await without.api.get("/")).toMatchObject({ gateway: false });
});

it("settings that cannot be are refused at the start, in one line", async () => {
  const folder = await mkdtemp(join(tmpdir(), "muster-routes-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const routes = join(folder, "routes.yaml");
  await writeFile(routes, "routes:\n  - provider: anthropic\n    url: ftp://nowhere\n");
  const refusals: [string[], RegExp][] = [
    [["--routes", routes], /routes\.yaml:3: .*http/],
    [["--route", "anthropic"], /--route anthropic/],
    [["--no-gateway", "--budget-usd", "5"], /--no-gateway leaves nothing for --budget-usd to do/],
  ];
  for (const [args, words] of refusals) {
    await expect((await homeWith(args)).start()).rejects.toThrow(words);
  }
});

it.runIf(process.platform === "linux")(
  "what the system shows of a daemon's environment has no secret in it",
  async () => {
    const env = {
      ANTHROPIC_API_KEY: "sk-ant-shown-to-nobody",
      DATABASE_URL: "postgres://u:pw-shown@db/x",
      PLAIN: "yes",
    };
    const daemon = await (await homeWith([], env)).start();
    const shown = readFileSync(`/proc/${daemon.pid}/environ`, "latin1");
    expect(shown).toContain("PLAIN=yes");
    expect(shown).not.toMatch(/shown-to-nobody|pw-shown/);
    // It is known all the same.
    const { credentials } = await daemon.api.get<{ credentials: { agent: string; source?: string }[] }>("/credentials");
    expect(credentials.find(({ agent }) => agent === "claude")?.source).toBe("environment ANTHROPIC_API_KEY");
  },
);
