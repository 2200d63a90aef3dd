import type * as schema from "@muster/schema";
import type { RunningEngineOptions } from "@muster/server";
import { expectTypeOf, it } from "vitest";
import type * as client from "../src/index.ts";
import {
  Failure,
  type Item,
  type PermissionRequested,
  type QuestionRequested,
  type SandboxDaemon,
  type TurnEnded,
} from "../src/index.ts";
import type { InlineOptions } from "../src/inline/index.ts";

/** Read by the compiler in `npm run check`; nothing here runs. */
async function narrows(daemon: SandboxDaemon): Promise<void> {
  const session = daemon.session("s1", { agent: "claude", directory: "/work" });
  for await (const event of session.prompt("Say hello")) {
    if (event.type === "item.delta") expectTypeOf(event.data.delta).toEqualTypeOf<string>();
    if (event.type === "item.completed") expectTypeOf(event.data.item).toEqualTypeOf<Item>();
    if (event.type === "permission.requested") expectTypeOf(event.data).toEqualTypeOf<PermissionRequested>();
    if (event.type === "question.requested") expectTypeOf(event.data).toEqualTypeOf<QuestionRequested>();
    if (event.type === "turn.ended") expectTypeOf(event.data).toEqualTypeOf<TurnEnded>();
    // @ts-expect-error there is no such event
    if (event.type === "turn.finished") return;
    // @ts-expect-error only some events have an item
    void event.data.item;
  }
  expectTypeOf(await session.ask("Say hello")).toEqualTypeOf<string>();
  expectTypeOf(await session.prompt("Say hello").ended).toEqualTypeOf<TurnEnded>();
  session.onPermission(({ action }) => (action === "edit" ? "always" : undefined));
  session.onPlan(async () => ({ feedback: "smaller" }));
  // @ts-expect-error that is no answer
  session.onPermission(() => "yes");
  expectTypeOf(daemon.session({ agent: "an-agent-of-tomorrow" }).id).toEqualTypeOf<string>();
  // @ts-expect-error without an id there must be options
  daemon.session();
  // @ts-expect-error a session is made with an agent
  daemon.session("s2", { directory: "/work" });
  try {
    await session.ask("Say hello", { delivery: "reject", signal: AbortSignal.timeout(1_000) });
  } catch (error) {
    if (error instanceof Failure && error.code === "session_busy") expectTypeOf(error.status).toEqualTypeOf<number>();
    // @ts-expect-error there is no such problem
    if (error instanceof Failure && error.code === "session_lazy") return;
  }
}

it("prompt narrows by the type of an event, without casts", () => {
  expectTypeOf(narrows).returns.resolves.toBeVoid();
});

it("the types with words are those of the schemas: what one gives the other takes", () => {
  expectTypeOf<FromSchema>().toExtend<FromClient>();
  expectTypeOf<FromClient>().toExtend<FromSchema>();
});

interface FromSchema {
  event: schema.UniversalEvent;
  session: schema.Session;
  created: schema.CreatedSession;
  create: schema.CreateSession;
  update: schema.UpdateSession;
  send: schema.SendMessage;
  message: schema.UniversalMessage;
  requests: schema.PendingRequests;
  agent: schema.AgentInfo;
  token: schema.CreatedToken;
  problem: schema.Problem;
  history: schema.UiHistory;
}

interface FromClient {
  event: client.UniversalEvent;
  session: client.SessionInfo;
  created: client.CreatedSession;
  create: client.CreateSession;
  update: client.UpdateSession;
  send: client.SendMessage;
  message: client.UniversalMessage;
  requests: client.PendingRequests;
  agent: client.AgentInfo;
  token: client.CreatedToken;
  problem: client.Problem;
  history: client.UiHistory;
}

it("inline takes what the daemon takes", () => {
  type Taken = Required<Omit<InlineOptions, "reconnect" | "timeoutMs" | "install">>;
  expectTypeOf<Taken>().toEqualTypeOf<Required<Omit<RunningEngineOptions, "install">>>();
  type Install = NonNullable<RunningEngineOptions["install"]>;
  expectTypeOf<NonNullable<InlineOptions["install"]>>().toExtend<Pick<Install, "sources" | "mirror">>();
});
