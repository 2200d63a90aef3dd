import type { SessionState } from "@muster/schema";
import type { SessionList } from "../store/session-list.ts";

const states = {
  waiting: "waits for you",
  running: "working",
  idle: "idle",
  asleep: "asleep",
  ended: "ended",
  unreadable: "unreadable",
} as const satisfies Partial<Record<SessionState, string>>;

/** Narrows the list by state, agent and directory. */
export function SessionFilter({ list }: { list: SessionList }) {
  const { state, agent, directory } = list.wanted;
  return (
    <div class="session-filter">
      <select
        aria-label="Filter by state"
        value={state ?? ""}
        onChange={({ currentTarget: { value } }) => list.want({ state: (value || undefined) as SessionState })}
      >
        <option value="">State</option>
        {Object.entries(states).map(([id, words]) => (
          <option value={id}>{words}</option>
        ))}
      </select>
      <select
        aria-label="Filter by agent"
        value={agent ?? ""}
        onChange={({ currentTarget: { value } }) => list.want({ agent: value || undefined })}
      >
        <option value="">Agent</option>
        {[...list.agents].sort().map((id) => (
          <option value={id}>{id}</option>
        ))}
      </select>
      <select
        aria-label="Filter by folder"
        value={directory ?? ""}
        onChange={({ currentTarget: { value } }) => list.want({ directory: value || undefined })}
      >
        <option value="">Folder</option>
        {[...list.directories].sort().map((path) => (
          <option value={path}>{path}</option>
        ))}
      </select>
    </div>
  );
}
