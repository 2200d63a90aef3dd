import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Conversation } from "@muster/conformance";
import { type ScriptedLlm, startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readExposition } from "../../../base/telemetry/test/exposition.ts";
import { DaemonHome, type DaemonProcess } from "../../../daemon/server/test/daemon-process.ts";
import { checkMetrics, installPrometheus, type Prometheus, startPrometheus } from "../../prometheus.ts";
import { ifReachable, packageOfRegistry } from "../../registry-package.ts";
import { typeFaults } from "./type-faults.ts";

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; legendFormat: string }[];
}
interface Dashboard {
  title: string;
  uid: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
}

const dashboard: Dashboard = JSON.parse(
  readFileSync(new URL("../../../deploy/grafana-dashboard.json", import.meta.url), "utf8"),
);
const codebuff = fileURLToPath(new URL("../../../codebuff/cli/bin/codebuff.cjs", import.meta.url));

const missing = installPrometheus();
if (missing !== undefined) process.stderr.write(`skipped: ${missing.reason}\n`);

describe.runIf(missing === undefined)("Debian's Prometheus at a daemon that has worked", () => {
  let home: DaemonHome;
  let daemon: DaemonProcess;
  let prometheus: Prometheus;
  let llm: ScriptedLlm;
  beforeAll(async () => {
    home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `codebuff=path:${codebuff}`] });
    daemon = await home.start();
    llm = await startScriptedLlm({ script: { conversations: [{ turns: [{ text: "Hello.", times: "always" }] }] } });
    prometheus = await startPrometheus(new URL(daemon.api.baseUrl).host);
    await prometheus.scraped(2);
    const talk = await Conversation.open(daemon.api);
    // Its calls to a model go through the gateway.
    const settings = { agent: "codebuff", token: "sk-ant-test-000", baseUrl: llm.url, directory: home.path };
    const real = await Conversation.open(daemon.api, settings);
    // Before and after a scrape: what rises from nothing has no rate.
    for (const questionId of ["question_1", "question_2"]) {
      await talk.say("usage");
      await talk.say("error");
      await talk.say("unparsed");
      const { messageId } = await talk.send("question");
      await talk.until("question.requested", (asked) => asked.questionId === questionId);
      await daemon.api.post(`${talk.path}/questions/${questionId}/reject`, {});
      await talk.turnOf(messageId);
      expect((await real.say("hello")).end.status).toBe("completed");
      await daemon.api.post("/agents/mock/install", {});
      const [now] = await prometheus.query('count_over_time(up{job="daemon"}[1h])');
      await prometheus.scraped(Number(now?.value[1]) + 3);
    }
    await talk.leave();
    await real.leave();
  }, 120_000);
  afterAll(async () => {
    await prometheus?.stop();
    await llm?.close();
    await home?.remove();
  });

  it("promtool has nothing to say of /metrics", async () => {
    expect(checkMetrics(await daemon.api.get<string>("/metrics"))).toEqual({ status: 0, said: "" });
    // It does say something where there is something.
    expect(checkMetrics("# TYPE a counter\na 1\n").status).not.toBe(0);
  });

  const targets = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
  it.each(targets)("the panel “$title” has an answer to $expr", async ({ expr }) => {
    const asked = expr
      .replaceAll("$__rate_interval", "1m")
      .replaceAll("$__range", "5m")
      .replaceAll(/\$(job|agent)/g, ".+");
    const series = await prometheus.query(asked);
    expect(series.length).toBeGreaterThan(0);
  });

  it("every figure of the daemon's own is in a panel", async () => {
    const shown = targets.map(({ expr }) => expr).join("\n");
    const told = [...readExposition(await daemon.api.get<string>("/metrics")).keys()];
    const own = told.filter((name) => name.startsWith("muster_"));
    expect(own.length).toBeGreaterThan(15);
    expect(own.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it("each label that a legend or a variable names is one of its series", async () => {
    for (const { query } of dashboard.templating.list) {
      if (typeof query === "string") continue;
      const [, metric = "", label = ""] = /^label_values\((\w+), (\w+)\)$/.exec(query.query) ?? [];
      expect(Object.keys((await prometheus.query(metric))[0]?.metric ?? {}), query.query).toContain(label);
    }
    for (const { expr, legendFormat } of dashboard.panels.flatMap(({ targets = [] }) => targets)) {
      const grouped = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(/, */);
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        const known = grouped ?? ["instance", "version", "runtime"];
        expect(known, expr).toContain(label);
      }
    }
  });
});

const schema = await ifReachable("Grafana's own types", packageOfRegistry("@grafana/schema@13.2.3"));
it.runIf(schema !== undefined)("the dashboard is one by the types that Grafana publishes", async () => {
  const declarations = join(schema ?? "", "dist/types/raw/dashboard/x/types.gen.d.ts");
  expect(await typeFaults(dashboard, declarations, "Dashboard")).toEqual([]);
  const wrong = { ...dashboard, panels: [{ ...dashboard.panels[1], gridpos: {} }] };
  expect(await typeFaults(wrong, declarations, "Dashboard")).toEqual([expect.stringContaining("gridpos")]);
});

it("the dashboard is laid out without overlaps, its ids differ, and its variables are those its queries use", () => {
  const { panels, templating } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = new Set<string>();
  for (const { gridPos, title } of panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(cells.has(`${x} ${y}`), title).toBe(false);
        cells.add(`${x} ${y}`);
      }
    }
  }
  const used = new Set([...JSON.stringify(panels).matchAll(/\$\{?([a-z]\w*)\}?/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual(templating.list.map(({ name }) => name).sort());
});
