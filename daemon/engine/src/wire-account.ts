import type { ModelRequest, Spending, UsageReport, WireUsage } from "@muster/schema";

/** One sum of the account: `open` and `estimated` say how much of it is not what a provider told. */
export interface WireSum extends Spending {
  /** What a budget counts: of each request what the provider billed, else its list price. */
  owedNanoUsd: number;
  open: number;
  estimated: number;
}

interface OpenRequest {
  turnId?: string;
  request: ModelRequest;
}

/** What a session's model requests were and cost, folded from its events. */
export interface WireAccount {
  total: WireSum;
  /** `provider/model` → its sum. */
  models: Map<string, WireSum & { provider: string; model: string }>;
  /** turnId, or nothing for what no turn asked for. */
  turns: Map<string, WireSum>;
  subAgents: Map<string, WireSum>;
  open: Map<string, OpenRequest>;
  /** The budget of the last warning. */
  warnedUsd?: number;
}

/** The account as JSON, in a checkpoint. */
export type StoredWire = {
  [Name in keyof WireAccount]: WireAccount[Name] extends Map<string, infer Value>
    ? [string, Value][]
    : WireAccount[Name];
};

/** Of older turns only the whole is kept: a checkpoint must not grow with each of them. */
const rememberedTurns = 1_000;
/** Whoever makes up names of models or sub-agents must not fill the memory: further ones are summed under this. */
const rememberedNames = 200;
const others = "other";

export function emptyWire(): WireAccount {
  return { total: emptySum(), models: new Map(), turns: new Map(), subAgents: new Map(), open: new Map() };
}

/** One event of a request: what was reserved for it at its beginning is replaced by what it turned out to be. */
export function foldRequest(account: WireAccount, request: ModelRequest, turnId: string | undefined): void {
  const begun = account.open.get(request.requestId);
  // A request belongs to the turn it began in.
  const owner = begun ? begun.turnId : turnId;
  for (const sum of sumsOf(account, request, owner)) {
    if (begun) add(sum, begun.request, -1);
    add(sum, request, 1);
  }
  if (request.state === "settled") account.open.delete(request.requestId);
  else account.open.set(request.requestId, { turnId: owner, request });
}

/** What a turn cost so far; without one, what no turn asked for. Undefined when it asked for nothing. */
export function wireOf({ turns }: WireAccount, turnId: string | undefined): WireUsage | undefined {
  const sum = turns.get(turnId ?? "");
  return sum && usageOf(sum);
}

/** The same once this event of a request is folded too. */
export function wireAfter(account: WireAccount, request: ModelRequest, turnId: string | undefined): WireUsage {
  const begun = account.open.get(request.requestId)?.request;
  const sum = { ...(account.turns.get(turnId ?? "") ?? emptySum()) };
  if (begun) add(sum, begun, -1);
  add(sum, request, 1);
  return usageOf(sum);
}

export function usageOf(sum: WireSum): WireUsage {
  const { listNanoUsd, billedNanoUsd, open, estimated } = sum;
  return {
    requests: sum.requests,
    inputTokens: sum.inputTokens,
    cachedInputTokens: sum.cachedInputTokens,
    outputTokens: sum.outputTokens,
    reasoningTokens: sum.reasoningTokens,
    listUsd: listNanoUsd / 1e9,
    billedUsd: billedNanoUsd === undefined ? undefined : billedNanoUsd / 1e9,
    open: open || undefined,
    estimated: estimated || undefined,
  };
}

/** The answer of `sessions.usage`. */
export function usageReport({ total, models, turns, subAgents }: WireAccount): UsageReport {
  return {
    ...spent(total),
    byModel: [...models.values()].map(({ provider, model, ...sum }) => ({ provider, model, ...spent(sum) })),
    byTurn: [...turns].map(([turnId, sum]) => ({ turnId: turnId || undefined, ...spent(sum) })),
    bySubAgent: [...subAgents].map(([subAgent, sum]) => ({ subAgent, ...spent(sum) })),
  };
}

export function storedWire({ models, turns, subAgents, open, ...account }: WireAccount): StoredWire {
  return { ...account, models: [...models], turns: [...turns], subAgents: [...subAgents], open: [...open] };
}

/** The account of a checkpoint; one that was written before there was a gateway has none. */
export function wireFrom(stored: StoredWire | undefined): WireAccount {
  if (!stored) return emptyWire();
  const { models, turns, subAgents, open, ...account } = stored;
  return {
    ...account,
    models: new Map(models),
    turns: new Map(turns),
    subAgents: new Map(subAgents),
    open: new Map(open),
  };
}

function spent(sum: WireSum) {
  const { requests, listUsd, billedUsd, open, estimated } = usageOf(sum);
  const { inputTokens: input, cachedInputTokens: cached, outputTokens: output, reasoningTokens: reasoning } = sum;
  return { requests, tokens: { input, cached, output, reasoning }, listUsd, billedUsd, open, estimated };
}

function sumsOf({ total, models, turns, subAgents }: WireAccount, request: ModelRequest, turnId = ""): WireSum[] {
  const { provider, model, subAgent } = request;
  const name = `${provider}/${model}`;
  const isKnown = models.has(name) || models.size < rememberedNames;
  const sums: WireSum[] = [
    total,
    isKnown ? entryOf(models, name, { provider, model }) : entryOf(models, others, { provider: others, model: others }),
    entryOf(turns, turnId, {}),
  ];
  if (turns.size > rememberedTurns) turns.delete([...turns.keys()].find((key) => key !== turnId) ?? "");
  if (subAgent !== undefined) {
    const isNamed = subAgents.has(subAgent) || subAgents.size < rememberedNames;
    sums.push(entryOf(subAgents, isNamed ? subAgent : others, {}));
  }
  return sums;
}

function entryOf<Head extends object>(sums: Map<string, WireSum & Head>, key: string, head: Head): WireSum {
  const known = sums.get(key);
  if (known) return known;
  const sum = { ...head, ...emptySum() };
  sums.set(key, sum);
  return sum;
}

function emptySum(): WireSum {
  return {
    requests: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    listNanoUsd: 0,
    owedNanoUsd: 0,
    open: 0,
    estimated: 0,
  };
}

function add(sum: WireSum, request: ModelRequest, sign: 1 | -1): void {
  for (const name of ["requests", "inputTokens", "cachedInputTokens", "outputTokens", "reasoningTokens"] as const) {
    sum[name] += sign * request[name];
  }
  sum.listNanoUsd += sign * nanoOf(request.listUsd);
  sum.owedNanoUsd += sign * nanoOf(request.billedUsd ?? request.listUsd);
  if (request.billedUsd !== undefined) sum.billedNanoUsd = (sum.billedNanoUsd ?? 0) + sign * nanoOf(request.billedUsd);
  if (request.state === "open") sum.open += sign;
  if (request.state === "settled" && request.estimated) sum.estimated += sign;
}

/** Exact for what was made from billionths: the nearest number to n/1e9 comes back to n. */
function nanoOf(usd: number): number {
  return Math.round(usd * 1e9);
}
