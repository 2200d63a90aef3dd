import type { Item, PermissionRequested, QuestionRequested } from "@muster/schema";
import type { RunningEngineOptions } from "@muster/server";
import { expectTypeOf, it } from "vitest";
import { Failure, type SandboxDaemon, type TurnEnded } from "../src/index.ts";
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

it("inline takes what the daemon takes", () => {
  type Taken = Required<Omit<InlineOptions, "reconnect" | "install">>;
  expectTypeOf<Taken>().toEqualTypeOf<Required<Omit<RunningEngineOptions, "install">>>();
  type Install = NonNullable<RunningEngineOptions["install"]>;
  expectTypeOf<NonNullable<InlineOptions["install"]>>().toExtend<Pick<Install, "sources" | "mirror">>();
});
