import type { Answer } from "@muster/schema";
import { relativeTime } from "./relative-time.ts";
import { table } from "./table.ts";

/** What a list needs to know of whoever reads it. */
export interface Viewer {
  /** Of the terminal; without one nothing is cut to fit. */
  columns?: number;
  now: number;
  home?: string;
}

export const nobody: Viewer = { now: Date.now() };

/** Those that wait for a person stand first, and are counted; then the last used. The id is the last to give way. */
export function sessionsText({ sessions, hasMore }: Answer<"sessions.list">, { columns, now, home }: Viewer): string {
  if (sessions.length === 0) return "there are no sessions; begin one: sandbox-daemon run mock help\n";
  const rows = table<Answer<"sessions.list">["sessions"][number]>(
    [
      { title: "session", cell: ({ sessionId }) => sessionId },
      { title: "agent", cell: ({ agent }) => agent },
      { title: "state", cell: ({ state, healthy }) => (healthy ? state : `${state} !`) },
      { title: "used", cell: ({ lastUsedAt }) => relativeTime(lastUsedAt, now) },
      { title: "name", cell: ({ name }) => name, gives: "end" },
      { title: "directory", cell: ({ directory }) => shortPath(directory, home), gives: "start" },
    ],
    sessions,
    columns,
  );
  const waiting = sessions.filter(({ state }) => state === "waiting").length;
  const ask = "sandbox-daemon sessions list-requests <session>";
  const count = waiting === 0 ? "" : `${waiting === 1 ? "1 waits" : `${waiting} wait`} for a person: ${ask}\n`;
  return `${rows}${count}${hasMore ? `more: --after ${sessions.at(-1)?.sessionId}\n` : ""}`;
}

export function agentsText({ agents }: Answer<"agents.list">, { columns, home }: Viewer): string {
  return table<Answer<"agents.list">["agents"][number]>(
    [
      { title: "agent", cell: ({ id }) => id },
      { title: "name", cell: ({ name }) => name, gives: "end" },
      { title: "version", cell: ({ installed, version }) => (installed ? version : "not installed") },
      { title: "from", cell: ({ source }) => source, gives: "end" },
      { title: "key", cell: ({ credentialsAvailable }) => credentialsAvailable },
      { title: "path", cell: (agent) => placeOf(agent, home), gives: "start" },
    ],
    agents,
    columns,
  );
}

/** An agent that the daemon cannot drive says so: it can only be installed. */
function placeOf({ path, capabilities }: Answer<"agents.list">["agents"][number], home: string | undefined): string {
  return capabilities === undefined ? "not driven yet, only installed" : shortPath(path ?? "", home);
}

/** As people write it: from their home. */
export function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === "/" || home === "") return path;
  return path === home ? "~" : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
