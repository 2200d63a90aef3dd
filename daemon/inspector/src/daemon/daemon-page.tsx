import { CopyButton, useObservable } from "@muster/web-parts";
import { count } from "@muster/web-parts/model";
import { useEffect, useState } from "preact/hooks";
import { type Metric, readMetrics } from "../model/metrics.ts";
import { curlOf } from "../model/snippets.ts";
import { PageHead } from "../parts/page-head.tsx";
import { forgetKey, keptKey } from "../store/access.ts";
import { usePage } from "../store/page.tsx";
import { Sparkline } from "./sparkline.tsx";

type Info = Awaited<ReturnType<ReturnType<typeof usePage>["daemon"]["client"]["info"]>>;

const everyMs = 2_000;
const keptPoints = 60;

/** The daemon itself: what it is, how busy it is, and what this page has asked of it. */
export function DaemonPage() {
  const { daemon } = usePage();
  useObservable(daemon);
  const [info, setInfo] = useState<Info>();
  const [series, setSeries] = useState<ReadonlyMap<string, { metric: Metric; points: readonly number[] }>>(new Map());
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      try {
        if (!document.hidden) {
          const [said, text] = await Promise.all([daemon.client.info(), daemon.client.metrics()]);
          if (isGone) return;
          setInfo(said);
          setSeries(
            (before) =>
              new Map(readMetrics(text).map((metric) => [metric.name, added(before.get(metric.name)?.points, metric)])),
          );
        }
      } catch (error) {
        // Gone for a while: the list of sessions beside this says so. The next look may find it again.
        daemon.locksOn(error);
      }
      if (!isGone) timer = setTimeout(look, everyMs);
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return (
    <main class="main scrolls" id="main" tabIndex={-1}>
      <PageHead title="Daemon" />
      <div class="page">
        {info && (
          <dl class="about-daemon">
            <dt>Version</dt>
            <dd>
              {info.name} {info.version}
            </dd>
            <dt>Durability</dt>
            <dd>{info.durability}</dd>
            <dt>Running since</dt>
            <dd>{new Date(info.startedAt).toLocaleString()}</dd>
            <dt>Agents</dt>
            <dd>{info.agents.join(", ")}</dd>
            <dt>Address</dt>
            <dd>
              <code>{daemon.endpoint}</code>
            </dd>
          </dl>
        )}
        <section>
          <h2>Metrics</h2>
          <ul class="metrics">
            {[...series.values()].map(({ metric, points }) => (
              <li title={metric.help}>
                <span class="metric-name">
                  {metric.name.replace(/^muster_|^sandbox_daemon_/, "").replaceAll("_", " ")}
                </span>
                <strong>{count(Math.round(metric.value * 100) / 100)}</strong>
                <Sparkline points={points} label={metric.help || metric.name} />
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>Requests of this page</h2>
          <ul class="requests">
            {daemon.requests
              .slice(-50)
              .reverse()
              .map((request) => (
                <li key={request}>
                  <span
                    class={
                      request.status !== undefined && (request.status >= 400 || request.status === 0)
                        ? "status bad"
                        : "status"
                    }
                  >
                    {request.status ?? "…"}
                  </span>
                  <code>{curlOf(daemon.endpoint, request)}</code>
                  <CopyButton text={curlOf(daemon.endpoint, request)} label="Copy as curl" />
                </li>
              ))}
          </ul>
        </section>
        <button
          type="button"
          onClick={() => {
            forgetKey(keptKey());
            location.reload();
          }}
        >
          Leave: forget the key of this page
        </button>
      </div>
    </main>
  );
}

/** A counter is drawn as what was added to it since the last look, a gauge as it stands. */
function added(before: readonly number[] | undefined, metric: Metric) {
  return { metric, points: [...(before ?? []), metric.value].slice(-keptPoints) };
}
