/** What the published SDK told its caller in one run, without what differs from run to run. */
export interface SdkSummary {
  readonly events: unknown[];
  /** The streamed words, joined: per kind of agent and for the root. */
  readonly words: Record<string, string>;
  readonly notes: string[];
  readonly output: unknown;
  readonly state: unknown;
  readonly thrown: unknown;
}

export interface SdkRow {
  readonly cb?: string;
  readonly event?: { readonly type: string };
  readonly chunk?: unknown;
  readonly note?: string;
  readonly result?: { readonly output: unknown; readonly mainAgentState?: Record<string, unknown> };
  readonly thrown?: unknown;
}

/** Rows as the client program prints them. */
export function summarise(rows: readonly SdkRow[], places: Readonly<Record<string, string>> = {}): SdkSummary {
  const plain = plainer(places);
  const words: Record<string, string> = {};
  for (const { chunk } of rows.filter(({ cb }) => cb === "handleStreamChunk")) {
    const [who, text] = wordsOf(chunk);
    words[who] = (words[who] ?? "") + text;
  }
  const results = rows.flatMap(({ result }) => (result === undefined ? [] : [result]));
  const state = results.at(-1)?.mainAgentState;
  return {
    events: rows.flatMap(({ event }) => (event === undefined ? [] : [plain(event)])),
    words,
    notes: rows.flatMap(({ note }) => (note === undefined ? [] : [note])),
    output: plain(results.at(-1)?.output ?? null),
    state: state === undefined ? null : plain(essence(state)),
    thrown: plain(rows.find(({ thrown }) => thrown !== undefined)?.thrown ?? null),
  };
}

/** Children work at the same time, so the order between them is nobody's promise. */
export function unordered({ events, ...rest }: SdkSummary): SdkSummary {
  return { ...rest, events: events.toSorted((one, other) => compare(JSON.stringify(one), JSON.stringify(other))) };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function wordsOf(chunk: unknown): [who: string, text: string] {
  if (typeof chunk === "string") return ["root", chunk];
  const { type, agentType, chunk: text } = chunk as { type: string; agentType?: string; chunk?: string };
  return [`${type}${agentType === undefined ? "" : ` ${agentType}`}`, text ?? ""];
}

function essence(state: Record<string, unknown>): object {
  const history = (state.messageHistory ?? []) as { role: string }[];
  return {
    agentId: state.agentId,
    stepsRemaining: state.stepsRemaining,
    creditsUsed: state.creditsUsed,
    directCreditsUsed: state.directCreditsUsed,
    roles: history.map(({ role }) => role),
  };
}

const ids = new Set(["toolCallId", "agentId", "parentAgentId", "runId"]);

/** Ids, times, places and stacks are replaced, the same one always by the same word. */
function plainer(places: Readonly<Record<string, string>>): (value: unknown) => unknown {
  const known = new Map<string, string>();
  const nameOf = (id: string) => {
    if (id === "main-agent" || id === "my-agent") return id;
    if (!known.has(id)) known.set(id, `id ${known.size + 1}`);
    return known.get(id);
  };
  const plain = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) return value.map((item) => plain(item));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item, name)]));
    }
    if (key === "sentAt" || key === "startTime" || key === "durationMs") return "time";
    if (typeof value !== "string") return value;
    if (ids.has(key)) return nameOf(value);
    return withoutStack(Object.entries(places).reduce((text, [place, word]) => text.replaceAll(place, word), value));
  };
  return (value) => plain(value);
}

function withoutStack(text: string): string {
  return text.replace(/\n+\w*Error[^\n]*\n\s+at [\s\S]*$/, "");
}
