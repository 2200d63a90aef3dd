import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { audit } from "../../src/money/ledger/audit.ts";
import { startChild } from "../processes/child-processes.ts";
import { startProvider } from "../provider.ts";
import { type Person, startTestServer, type TestServer } from "../test-server.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import { startScenarioModel } from "./scripted-model.ts";
import { installSdk } from "./sdk-install.ts";
import { type SdkRow, type SdkSummary, summarise, unordered } from "./summary.ts";

interface Recorded {
  readonly sdk: SdkSummary;
  readonly requests: Record<string, number>;
  readonly runs: RunSummary[];
}

interface RunSummary {
  readonly agent: string;
  readonly depth: number;
  readonly status: string;
  readonly totalSteps: number | null;
  readonly directCredits: number | null;
  readonly totalCredits: number | null;
  readonly steps: unknown[];
}

const sdk = installSdk();
const reason = "reason" in sdk ? sdk.reason : undefined;
if (reason !== undefined) process.stderr.write(`skipped: ${reason}\n`);
const base = mkdtempSync(join(tmpdir(), "codebuff-published-sdk-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe.runIf(reason === undefined)("the published SDK 0.10.7 against our server", () => {
  it.each(Object.entries(scenarios))("%s", async (name, scenario) => {
    const recorded = expectedOf(name);
    const observed = await play(name, scenario);
    const order = scenario.isParallel ? unordered : (summary: SdkSummary) => summary;
    expect({ ...observed, sdk: order(observed.sdk) }).toEqual({ ...recorded, sdk: order(recorded.sdk) });
  });

  describe("each gate's error reaches it", () => {
    const sayHello: Scenario = { script: [[{ text: ["Hello"] }]] };
    const gates: readonly {
      gate: string;
      key?: string;
      options?: object;
      arrange?: (server: TestServer, person: Person) => Promise<unknown>;
      told: unknown;
    }[] = [
      {
        gate: "G2 at /me",
        key: "cb-pat-wrong",
        told: { thrown: { message: "Authentication failed", statusCode: 401 } },
      },
      {
        gate: "G3",
        arrange: (server, { id }) =>
          server.database.db.updateTable("user").set({ banned: 1 }).where("id", "=", id).execute(),
        // No run begins for a banned account, and this SDK tells that in words of its own.
        told: { output: { type: "error", message: "Failed to start agent run" } },
      },
      {
        gate: "G5",
        // The run is over before its first call.
        arrange: (server, { id }) => failEveryRun(server, id),
        told: { output: { type: "error", message: expect.stringContaining("not running") } },
      },
      {
        gate: "G7",
        arrange: (server, { id }) => takeAllCredits(server, id),
        told: { output: { type: "error", statusCode: 402, message: expect.any(String) } },
      },
      {
        gate: "G8",
        options: { agent: { model: "moonshotai/kimi-k2" } },
        told: { output: { type: "error", message: expect.stringContaining("FIREWORKS_API_KEY") } },
      },
    ];
    it.each(gates)("$gate", async ({ key, arrange, options, told }) => {
      const { sdk: summary } = await play("gate", { ...sayHello, options }, { key, arrange });
      expect(summary).toMatchObject(told as object);
    });
  });
});

function expectedOf(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), "utf8")) as Recorded;
}

async function play(
  name: string,
  scenario: Scenario,
  { key, arrange }: { key?: string; arrange?: (server: TestServer, person: Person) => Promise<unknown> } = {},
): Promise<Recorded> {
  const model = await startScenarioModel(scenario);
  const search = await startProvider((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ result: "search says hi" }));
  });
  const server = await startTestServer({ env: { OPENROUTER_BASE_URL: model.url, WEB_SEARCH_URL: search.url } });
  try {
    const person = await server.person("person@example.com", 10_000);
    await publishBase(server, person);
    await arrange?.(server, person);
    const place = makeProject(name, scenario);
    const rows = await runSdk(server.url, place, { key: key ?? person.key, ...scenario.options });
    await server.server.service.calls.none();
    expect(await audit(server.database)).toEqual([]);
    return {
      sdk: summarise(rows, { [place.project]: "/workspace", [place.home]: "/home/user" }),
      requests: countRequests(server.logged),
      runs: await readRuns(server),
    };
  } finally {
    await server.close();
    await search.close();
    await model.close();
  }
}

interface Place {
  readonly project: string;
  readonly home: string;
}

function makeProject(name: string, { files = {} }: Scenario): Place {
  const folder = mkdtempSync(join(base, `${name}-`));
  const place = { project: join(folder, "workspace"), home: join(folder, "home") };
  mkdirSync(place.home);
  for (const [file, text] of Object.entries({ "a.txt": "alpha\nbeta\n", ...files })) {
    const path = join(place.project, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return place;
}

/** A clean environment and an empty home: the SDK finds no credentials of anybody. */
async function runSdk(url: string, { project, home }: Place, options: object): Promise<SdkRow[]> {
  if ("reason" in sdk) throw new Error(sdk.reason);
  const args = ["--import", sdk.preload, sdk.program, JSON.stringify({ cwd: project, ...options })];
  const child = startChild(sdk.node, args, {
    cwd: sdk.folder,
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH, HOME: home, CB_BACKEND: url },
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  let text = "";
  for await (const chunk of child.stdout ?? []) text += chunk;
  clearTimeout(timer);
  return text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as SdkRow);
}

function countRequests(logged: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of logged) {
    const { message, method, path } = JSON.parse(line) as { message: string; method: string; path: string };
    if (message !== "request") continue;
    const route = `${method} ${path.replace(/agent-runs\/[^/]+/, "agent-runs/:id").replace(/(agents\/).*/, "$1:agent")}`;
    counts[route] = (counts[route] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort());
}

async function readRuns({ database: { db } }: TestServer): Promise<RunSummary[]> {
  const runs = await db.selectFrom("agent_run").selectAll().orderBy("created_at").orderBy("agent_id").execute();
  const steps = await db.selectFrom("agent_step").selectAll().orderBy("step_number").execute();
  return runs.map((run) => ({
    agent: run.agent_id,
    depth: run.depth,
    status: run.status,
    totalSteps: run.total_steps,
    directCredits: run.direct_credits,
    totalCredits: run.total_credits,
    steps: steps
      .filter(({ run_id }) => run_id === run.id)
      .map((step) => ({
        step: step.step_number,
        status: step.status,
        credits: step.credits,
        children: (JSON.parse(step.child_run_ids) as string[]).length,
        hasMessage: step.message_id !== null,
      })),
  }));
}

/** The agent that the recordings found in the store. */
async function publishBase(server: TestServer, person: Person): Promise<void> {
  const { db } = server.database;
  await db
    .insertInto("publisher")
    .values({ id: "codebuff", name: "Codebuff", user_id: person.id, created_at: 0 })
    .execute();
  const definition = {
    id: "base",
    publisher: "codebuff",
    version: "0.0.1",
    displayName: "Base",
    model: "anthropic/claude-sonnet-4",
    toolNames: ["read_files", "end_turn"],
    instructionsPrompt: "store agent",
    systemPrompt: "x",
  };
  const response = await server.post("/api/agents/publish", { data: [definition] }, { key: person.key });
  expect(await response.json()).toMatchObject({ success: true, publisherId: "codebuff" });
  server.logged.length = 0;
}

/** Ends each run as soon as it has begun. */
async function failEveryRun({ database: { db } }: TestServer, userId: string): Promise<void> {
  const timer = setInterval(() => {
    void db
      .updateTable("agent_run")
      .set({ status: "failed" })
      .where("user_id", "=", userId)
      .execute()
      .catch(() => clearInterval(timer));
  }, 1);
}

async function takeAllCredits({ database: { db } }: TestServer, userId: string): Promise<void> {
  // Expired credits are taken at the next look, by the ledger itself.
  await db.updateTable("credit_grant").set({ expires_at: 1 }).where("owner_id", "=", userId).execute();
}
