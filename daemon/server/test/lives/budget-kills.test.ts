import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDue, isLong, random, seed, tell } from "@muster/chaos";
import type { DaemonApi } from "@muster/conformance";
import type { ModelRequest } from "@muster/schema";
import { expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";
import { type RealRequest, type Step, ToldProvider } from "./told-provider.ts";

const fault = "SIGKILL of a daemon under budgets";
const program = fileURLToPath(new URL("./spending-agent.mjs", import.meta.url));
const parts = Array.from({ length: isLong ? 20 : 1 }, (_, at) => at + 1);
const kills = isLong ? 10 : 3;

/** Sessions one and two share the budget of a group, three has a budget of tokens; all have the daemon's. */
const sessions = ["one", "two", "three"] as const;
const model = "house-1";
/** Of the stream that passes a budget: what is on its way between provider and meter, 4 KiB of frames and a socket's buffer. */
const slackTokens = 600;

it.for(parts)(
  "whatever is killed, no request is forgotten, and spent ≤ budget + inputs and uncounted output of open requests: %d",
  { timeout: 900_000 },
  async (part, context) => {
    if (!isDue(fault, part)) return context.skip("held before, or the time is over");
    const chance = random(seed + 7_919 * part);
    const between = (least: number, most: number) => least + Math.floor(chance() * (most - least + 1));
    const provider = new ToldProvider();
    await provider.start();
    const limits = {
      tokens: between(2_000, 9_000),
      groupUsd: between(3, 20) / 1_000,
      daemonUsd: between(8, 40) / 1_000,
    };
    const folder = await mkdtemp(join(tmpdir(), "budget-kills-"));
    const routes = join(folder, "routes.yaml");
    const source = ["--agent-source", `claude=path:${program}`];
    const args = ["--no-token", ...source, "--routes", routes, "--budget-usd", String(limits.daemonUsd)];
    const home = await DaemonHome.make({ args });
    const world = new World(provider.requests, limits);
    let held = 0;
    let openAtKill = 0;
    try {
      for (let round = 0; round <= kills; round++) {
        // Prices change from one life of the daemon to the next, so that each request has one.
        provider.price = between(1, 3);
        const { price } = provider;
        await writeFile(routes, `prices:\n  ${model}: { input: ${price}, output: ${price} }\n`);
        const daemon = await home.start();
        if (round === 0) await create(daemon.api, provider.url, home.path, limits);
        // A message that was not given before the kill is given now.
        await Promise.all(sessions.map((id) => settled(daemon.api, id)));
        world.check(await recordedIn(daemon.api), await ledgerOf(home));
        if (round > 0) held++;
        if (round === kills) break;
        const before = provider.requests.length;
        const turns = sessions.map((id) => {
          const lanes = Array.from({ length: between(1, 3) }, (_, lane) =>
            Array.from({ length: between(1, 4) }, (_, at) => stepOf(`${id} ${part}-${round}-${lane}-${at}`, between)),
          );
          return daemon.api.post(`/sessions/${id}/messages`, { message: JSON.stringify(lanes) }).then(
            () => settled(daemon.api, id),
            () => {},
          );
        });
        await provider.until(before + between(1, 8), Promise.all(turns));
        await delay(between(0, 60));
        openAtKill += provider.requests.filter(({ endedAt }) => endedAt === undefined).length;
        await daemon.kill("SIGKILL");
        await Promise.all(turns);
      }
      // Without these the runs would show nothing.
      if (isLong) expect([openAtKill > 0, world.whole > 0]).toEqual([true, true]);
    } finally {
      const counts = { requests: provider.requests.length, openAtKill, whole: world.whole, estimated: world.estimated };
      tell({ fault, part, tried: kills, held, counts });
      await home.remove();
      provider.close();
      await rm(folder, { recursive: true });
    }
  },
);

async function create(api: DaemonApi, baseUrl: string, directory: string, limits: Limits): Promise<void> {
  const settings = { agent: "claude", baseUrl, directory, permissionMode: "bypass" };
  const group = { budgetGroup: "g", limits: { budgetUsd: limits.groupUsd } };
  for (const id of sessions) {
    const own = id === "three" ? { limits: { budgetTokens: limits.tokens } } : group;
    await api.post(`/sessions/${id}`, { ...settings, ...own });
  }
}

function stepOf(id: string, between: (least: number, most: number) => number): Step {
  const leaves = between(1, 5) === 1;
  return {
    id,
    model,
    input: between(10, 600),
    pieces: between(0, 60),
    hidden: between(0, 3) === 0 ? between(0, 200) : 0,
    isCut: between(1, 6) === 1,
    ...(leaves && { leaveAfter: between(200, 4_000) }),
  };
}

/** Resolves when the session has nothing to do, or its daemon is gone. */
async function settled(api: DaemonApi, id: string): Promise<void> {
  for (;;) {
    const session = await api.session(id).catch(() => undefined);
    if (session === undefined || (session.turnId === undefined && session.queued === 0)) return;
    await delay(20);
  }
}

/** By id of the request: what the logs of the sessions say of it. */
async function recordedIn(api: DaemonApi): Promise<ReadonlyMap<string, ModelRequest>> {
  const found = new Map<string, ModelRequest>();
  for (const id of sessions) {
    for (const { type, data } of await api.log(id)) {
      if (type === "usage.updated" && data.request?.subAgent !== undefined)
        found.set(data.request.subAgent, data.request);
    }
  }
  return found;
}

interface LedgerLine {
  sums: { nanoUsd: number };
  groups: Record<string, { nanoUsd: number }>;
}

/** Its first line is what the daemon found when it began to use it; none before its first request. */
async function ledgerOf(home: DaemonHome): Promise<LedgerLine | undefined> {
  const text = await readFile(join(home.dataDirectory, "spending.jsonl"), "utf8").catch(() => "");
  const [first = ""] = text.split("\n");
  return first === "" ? undefined : (JSON.parse(first) as LedgerLine);
}

type Limits = Readonly<Record<"tokens" | "groupUsd" | "daemonUsd", number>>;

/** The world beside the gateway: what the provider has seen, against what the logs and the ledger say. */
class World {
  whole = 0;
  estimated = 0;
  readonly #requests: readonly RealRequest[];
  readonly #limits: Limits;

  constructor(requests: readonly RealRequest[], limits: Limits) {
    this.#requests = requests;
    this.#limits = limits;
  }

  check(recorded: ReadonlyMap<string, ModelRequest>, ledger: LedgerLine | undefined): void {
    this.whole = 0;
    this.estimated = 0;
    for (const real of this.#requests) this.#checkOne(real, recorded.get(real.id));
    const { tokens, groupUsd, daemonUsd } = this.#limits;
    this.#checkBudget(
      "three",
      (session) => session === "three",
      tokens,
      () => 1,
      recorded,
    );
    const inNano = (dollars: number) => dollars * 1e9;
    const group = this.#checkBudget("group", (session) => session !== "three", inNano(groupUsd), priceOf, recorded);
    const daemon = this.#checkBudget("daemon", () => true, inNano(daemonUsd), priceOf, recorded);
    if (ledger === undefined) return;
    // The ledger's sums are those of the logs, or more by what was begun and never reached a log's end.
    expect(ledger.sums.nanoUsd).toBeGreaterThanOrEqual(daemon - 1);
    expect(ledger.groups.g?.nanoUsd ?? 0).toBeGreaterThanOrEqual(group - 1);
  }

  #checkOne(real: RealRequest, told: ModelRequest | undefined): void {
    if (told === undefined) throw new Error(`${real.id} reached the provider and is in no log`);
    expect(told.state, `${real.id} is over`).toBe("settled");
    if (!told.estimated) {
      this.whole++;
      expect([told.inputTokens, told.outputTokens], real.id).toEqual([real.input, real.output]);
      return;
    }
    this.estimated++;
    expect(told.inputTokens, `the input of ${real.id}`).toBeGreaterThanOrEqual(real.input);
  }

  /**
   * What the logs say was spent is within the budget, but for what was open when the last request was let in: their inputs,
   * what they told only at their end, and what was on its way. What a kill took is told as an estimate.
   */
  #checkBudget(
    name: string,
    isOf: (session: string) => boolean,
    limit: number,
    worth: (real: RealRequest) => number,
    recorded: ReadonlyMap<string, ModelRequest>,
  ): number {
    const entries = this.#requests.flatMap((real) => {
      const told = recorded.get(real.id);
      const [session = ""] = real.id.split(" ");
      return told && isOf(session) ? [{ real, told, worth: worth(real) }] : [];
    });
    const spent = entries.reduce((sum, { told, worth }) => sum + (told.inputTokens + told.outputTokens) * worth, 0);
    const lastAt = Math.max(0, ...entries.map(({ real }) => real.arrivedAt));
    // One that ended just before the last came may not have been settled yet.
    const open = entries.filter(({ real }) => (real.endedAt ?? Number.POSITIVE_INFINITY) > lastAt - 200);
    const room = open.reduce(
      (sum, { told, real, worth }) => sum + (told.inputTokens + real.hidden + slackTokens) * worth,
      0,
    );
    expect(spent, `${name}: spent ${spent} of ${limit} with ${room} open`).toBeLessThanOrEqual(limit + room);
    return spent;
  }
}

/** In billionths of a dollar a token. */
function priceOf({ price }: RealRequest): number {
  return price * 1_000;
}
