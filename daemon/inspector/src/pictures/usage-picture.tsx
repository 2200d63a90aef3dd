import { count, dollars } from "@muster/web-parts/model";
import type { SessionFold } from "../model/session-fold.ts";
import { type TurnUsage, usageSeries } from "../model/usage-series.ts";

const height = 120;
const barWidth = 18;

/** Tokens of each turn, what the session has cost up to it, and how full the context was. */
export function UsagePicture({ fold }: { fold: SessionFold }) {
  const series = usageSeries(fold);
  const used = series.reduce((sum, turn) => sum + turn.inputTokens + turn.outputTokens, 0);
  const last = series.at(-1);
  if (used === 0 && (last?.totalUsd ?? 0) === 0) return null;
  return (
    <section class="picture-box" aria-label="Usage">
      <div class="picture-head">
        <h2>Usage</h2>
        <span class="faint">
          {count(used)} tokens, {dollars(last?.totalUsd ?? 0)}
          {last?.context !== undefined && `, context ${Math.round(last.context * 100)}% full`}
        </span>
      </div>
      <div class="charts">
        <Bars
          series={series}
          title="Tokens per turn"
          values={(turn) => [turn.inputTokens, turn.outputTokens]}
          show={count}
        />
        <Bars series={series} title="Cost so far" values={(turn) => [turn.totalUsd]} show={dollars} />
        {series.some(({ context }) => context !== undefined) && (
          <Bars
            series={series}
            title="Context"
            most={1}
            values={(turn) => [turn.context ?? 0]}
            show={(part) => `${Math.round(part * 100)}%`}
          />
        )}
      </div>
    </section>
  );
}

interface BarsProps {
  series: TurnUsage[];
  title: string;
  values(turn: TurnUsage): number[];
  show(value: number): string;
  most?: number;
}

function Bars({ series, title, values, show, most }: BarsProps) {
  const highest = most ?? Math.max(1e-9, ...series.map((turn) => sum(values(turn))));
  const width = Math.max(10, series.length) * barWidth;
  return (
    <figure>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="xMinYMid"
        role="img"
        aria-label={`${title}: at most ${show(highest)}`}
      >
        {series.map((turn, index) => {
          let base = height;
          return values(turn).map((value, part) => {
            const tall = (value / highest) * (height - 4);
            base -= tall;
            return (
              <rect
                class={`bar part-${part}`}
                x={index * barWidth + 2}
                y={base}
                width={barWidth - 4}
                height={tall}
                rx="1"
              >
                <title>{`Turn ${index + 1}: ${show(value)}`}</title>
              </rect>
            );
          });
        })}
      </svg>
      <figcaption>
        {title} <span class="faint">to {show(highest)}</span>
      </figcaption>
    </figure>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
