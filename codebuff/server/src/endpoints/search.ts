import { randomUUID } from "node:crypto";
import { DocsSearchBody, WebSearchBody } from "@muster/codebuff-protocol";
import { unitsPerCredit } from "@muster/metering";
import { refuseBanned } from "../admission/ban.ts";
import { reserveCredits } from "../admission/credits.ts";
import { knowUser } from "../admission/user.ts";
import { unmeteredCall } from "../money/calls/call-record.ts";
import { release } from "../money/calls/release.ts";
import { settle } from "../money/calls/settle.ts";
import type { User } from "../people/users.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { type Call, readChecked } from "./answer.ts";

const searchCredits = { standard: 1, deep: 5 } as const;
const docsCredits = 1;
/** Well within the lease of what is held for it. */
const longestMs = 20_000;

/** Both are somebody else's service: a configured address that takes our body and answers `{result}`; without one, 501. */
export async function webSearch({ request, service }: Call): Promise<object> {
  const user = await knowSearcher(request, service);
  const body = await readChecked({ request, service }, WebSearchBody);
  const credits = searchCredits[body.depth ?? "standard"];
  const target = { name: "web search", variable: "WEB_SEARCH_URL", url: service.config.webSearchUrl };
  const answer = await paidSearch(user, service, { ...target, body, credits });
  return { result: answer.result, creditsUsed: answer.creditsUsed };
}

export async function docsSearch({ request, service }: Call): Promise<object> {
  const user = await knowSearcher(request, service);
  const body = await readChecked({ request, service }, DocsSearchBody);
  const target = { name: "docs search", variable: "DOCS_SEARCH_URL", url: service.config.docsSearchUrl };
  const answer = await paidSearch(user, service, { ...target, body, credits: docsCredits });
  return { documentation: answer.result, creditsUsed: answer.creditsUsed };
}

interface Search {
  readonly name: string;
  readonly variable: string;
  readonly url: string | undefined;
  readonly body: object;
  readonly credits: number;
}

async function knowSearcher({ headers }: Call["request"], service: Service): Promise<User> {
  const user = await knowUser(headers, service);
  refuseBanned(user);
  return user;
}

async function paidSearch(
  user: User,
  service: Service,
  { name, variable, url, body, credits }: Search,
): Promise<{ result: string; creditsUsed: number }> {
  if (url === undefined) throw new Refusal(501, `The ${name} is off here: set ${variable}`);
  const requestId = randomUUID();
  const units = credits * unitsPerCredit;
  // A search that is lost with its server gave nothing, so it costs nothing.
  const ask = { runId: null, scope: "all" as const, estimate: units, inputEstimate: units, isDispatched: false };
  await reserveCredits(user, { ...ask, requestId }, service).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.status !== 402) throw error;
    const more = { remaining: await remaining(service, user.id), required: credits };
    throw new Refusal(402, error.message, { more });
  });
  const at = service.now();
  const result = await fetchResult(url, body).catch(async () => {
    await release(service.database, { requestId, ownerId: user.id, closedBy: "provider error", at: service.now() });
    throw new Refusal(502, `The ${name} did not answer`);
  });
  await settle(service.database, {
    requestId,
    ownerId: user.id,
    cost: units,
    closedBy: "completed",
    at: service.now(),
    call: unmeteredCall({
      model: name,
      provider: name,
      cost_from: "price table",
      outcome: "completed",
      created_at: at,
    }),
  });
  return { result, creditsUsed: credits };
}

async function fetchResult(url: string, body: object): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(longestMs),
  });
  const { result } = (await response.json()) as { result?: unknown };
  if (!response.ok || typeof result !== "string") throw new Error(`${response.status}`);
  return result;
}

async function remaining({ database }: Service, userId: string): Promise<number> {
  const account = await database.db
    .selectFrom("credit_account")
    .select("balance")
    .where("owner_id", "=", userId)
    .executeTakeFirst();
  return (account?.balance ?? 0) / unitsPerCredit;
}
