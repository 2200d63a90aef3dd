import { SafeText } from "@muster/web-parts";
import { duration } from "@muster/web-parts/model";
import { useState } from "preact/hooks";
import type { Entry } from "../model/entries.ts";
import { hashOf } from "../model/route.ts";
import type { TurnView } from "../model/session-fold.ts";
import { type Span, timelineOf } from "../model/timeline.ts";

const laneHeight = 22;
const width = 1000;

/** One turn to scale; which one can be chosen. */
export function TimelinePicture({
  turns,
  entries,
  sessionId,
}: {
  turns: TurnView[];
  entries: Entry[];
  sessionId: string;
}) {
  const [chosen, choose] = useState<string>();
  const turn = turns.find(({ turnId }) => turnId === chosen) ?? (turns.at(-1) as TurnView);
  const { from, to, lanes } = timelineOf(turn, entries, Date.now());
  const scale = (time: number) => ((Math.min(Math.max(time, from), to) - from) / (to - from)) * width;
  const total = (kind: Span["kind"]) =>
    lanes
      .flat()
      .filter((span) => span.kind === kind)
      .reduce((sum, span) => sum + span.to - span.from, 0);
  return (
    <section class="picture-box" aria-label="Timeline">
      <div class="picture-head">
        <h2>Timeline</h2>
        <label>
          Turn{" "}
          <select value={turn.turnId} onChange={(event) => choose(event.currentTarget.value)}>
            {turns.map(({ turnId }, index) => (
              <option value={turnId}>{index + 1}</option>
            ))}
          </select>
        </label>
      </div>
      <svg
        class="timeline"
        viewBox={`0 0 ${width} ${lanes.length * laneHeight}`}
        preserveAspectRatio="none"
        style={{ height: `${lanes.length * laneHeight}px` }}
        role="img"
        aria-label={`A turn of ${duration(to - from)}: model ${duration(total("model"))}, tools ${duration(total("tool"))}, waiting for a person ${duration(total("person"))}`}
      >
        {lanes.map((lane, index) =>
          lane.map((span) => {
            const bar = (
              <rect
                class={`span ${span.kind} ${span.failed ? "failed" : ""}`}
                x={scale(span.from)}
                y={index * laneHeight + 2}
                width={Math.max(2, scale(span.to) - scale(span.from))}
                height={laneHeight - 4}
                rx="2"
              >
                <title>{`${span.label} · ${duration(span.to - span.from)}`}</title>
              </rect>
            );
            return bar;
          }),
        )}
      </svg>
      <p class="axis">
        <span>0</span>
        <span>{duration((to - from) / 2)}</span>
        <span>{duration(to - from)}</span>
      </p>
      <ul class="legend">
        <li class="model">Model {duration(total("model"))}</li>
        <li class="tool">Tools {duration(total("tool"))}</li>
        <li class="person">Waiting for a person {duration(total("person"))}</li>
      </ul>
      <ol class="spans">
        {lanes
          .flat()
          .filter((span) => span.key !== undefined)
          .sort((one, other) => one.from - other.from)
          .map((span) => (
            <li>
              <a href={hashOf({ page: "session", sessionId, view: "chat", at: span.key })}>
                <span class={`dot ${span.kind} ${span.failed ? "failed" : ""}`} aria-hidden="true" />
                <code class="ellipsis">{<SafeText text={span.label} code />}</code>
                <span class="faint">
                  at {duration(span.from - from)}, {duration(span.to - span.from)}
                </span>
              </a>
            </li>
          ))}
      </ol>
    </section>
  );
}
