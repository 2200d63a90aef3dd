import type { UniversalEvent } from "@muster/schema";
import { SafeText, useObservable, WindowedList } from "@muster/web-parts";
import { useEffect, useMemo, useState } from "preact/hooks";
import { OlderNote } from "../chat/older-note.tsx";
import { eventFilter, eventSummary } from "../model/event-filter.ts";
import { hashOf } from "../model/route.ts";
import type { SessionLog } from "../store/session-log.ts";
import { EventDetail } from "./event-detail.tsx";
import { eventKinds } from "./event-kinds.ts";

/** Every event with its number. A filter looks at all of them, so that the rest of the log is read first. */
export function EventsView({ log, at }: { log: SessionLog; at?: string }) {
  useObservable(log);
  const [type, setType] = useState("");
  const [text, setText] = useState("");
  const isFiltered = type !== "" || text.trim() !== "";
  const { events } = log;
  const shown = useMemo(
    () => (isFiltered ? events.filter(eventFilter({ type, text })) : events),
    [type, text, events, events.length],
  );
  const keys = useMemo(() => shown.map(({ sequence }) => String(sequence)), [shown, shown.length]);
  useEffect(() => {
    let isGone = false;
    const first = () => log.events[0]?.sequence ?? 0;
    if (isFiltered) void log.loadAll(() => !isGone);
    else if (at !== undefined) void log.loadAll(() => !isGone && first() > Number(at));
    return () => {
      isGone = true;
    };
  }, [isFiltered, at, log.state === "live"]);
  const selected = at === undefined ? undefined : events[Number(at) - (events[0]?.sequence ?? 1)];
  return (
    <div class={`events ${selected ? "has-detail" : ""}`}>
      <search class="filter">
        <select aria-label="Type of event" value={type} onChange={(event) => setType(event.currentTarget.value)}>
          <option value="">every type</option>
          {eventKinds.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </select>
        <input
          type="search"
          aria-label="Find in events"
          placeholder="Find in events"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span class="faint" role="status">
          {isFiltered ? `${shown.length} of ${events.length}` : `${events.length} shown`}
          {log.isLoading ? ", reading …" : log.hasAll ? "" : ", older above"}
        </span>
      </search>
      <OlderNote log={log} />
      <WindowedList
        label="Events"
        keys={keys}
        estimate={28}
        followsEnd
        at={at}
        onTop={() => void log.loadOlder()}
        draw={(index) => {
          const event = shown[index];
          return event && <EventRow event={event} isSelected={String(event.sequence) === at} />;
        }}
      />
      {selected && <EventDetail log={log} event={selected} key={selected.sequence} />}
    </div>
  );
}

function EventRow({ event, isSelected }: { event: UniversalEvent; isSelected: boolean }) {
  const { sequence, sessionId, time, type, source } = event;
  return (
    <a
      class={`event of-${type.split(".")[0]}`}
      href={hashOf({ page: "session", sessionId, view: "events", at: String(sequence) })}
      aria-current={isSelected ? "true" : undefined}
    >
      <span class="number">{sequence}</span>
      <span class="time">{time.slice(11, 23)}</span>
      <span class="type">{type}</span>
      <span class="ellipsis">
        <SafeText text={eventSummary(event).slice(0, 300)} code />
      </span>
      {source === "agent" && <span class="tag">agent</span>}
    </a>
  );
}
