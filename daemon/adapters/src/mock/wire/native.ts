import {
  AllowedPrompt,
  AttachmentInfo,
  Cause,
  FilePart,
  ItemKind,
  ItemStatus,
  PermissionAction,
  PermissionMode,
  Role,
  ToolKind,
} from "@muster/schema";
import { z } from "zod";

/**
 * The mock agent's own protocol, JSON lines both ways: `ev` is what the agent says, `do` what it is told. On a shared
 * server every line carries `session`. It has its own words on purpose: a conversion that changes nothing shows nothing.
 */
const Spent = z.object({
  in: z.int().nonnegative(),
  out: z.int().nonnegative(),
  cached: z.int().nonnegative().optional(),
  thinking: z.int().nonnegative().optional(),
  context: z.int().nonnegative().optional(),
  window: z.int().positive().optional(),
});
export type Spent = z.infer<typeof Spent>;

const Piece = z.discriminatedUnion("as", [
  z.object({ as: z.literal("words"), words: z.string() }),
  z.object({ as: z.literal("thought"), words: z.string(), hidden: z.boolean() }),
  z.object({
    as: z.literal("call"),
    call: z.string(),
    tool: z.string(),
    sort: ToolKind,
    args: z.unknown(),
    label: z.string().optional(),
  }),
  z.object({
    as: z.literal("outcome"),
    call: z.string(),
    printed: z.string(),
    ok: z.boolean(),
    code: z.int().optional(),
    value: z.unknown().optional(),
  }),
  z.object({ as: z.literal("touched"), file: z.string(), how: FilePart.shape.action, patch: z.string().optional() }),
  z.object({
    as: z.literal("picture"),
    mime: z.string(),
    base64: z.string().optional(),
    file: z.string().optional(),
  }),
  z.object({ as: z.literal("plan"), words: z.string() }),
  z.object({ as: z.literal("note"), label: z.string(), more: z.string().optional() }),
  z.object({ as: z.literal("value"), value: z.unknown() }),
]);
export type Piece = z.infer<typeof Piece>;

const Block = z.object({
  block: z.string(),
  /** The block of the call in which a helper of the agent works. */
  inside: z.string().optional(),
  what: ItemKind,
  voice: Role.optional(),
  state: ItemStatus,
  /** Goes on after its turn. */
  detached: z.boolean().optional(),
  pieces: z.array(Piece),
});
export type Block = z.infer<typeof Block>;

const Choice = z.object({ key: z.string(), label: z.string(), more: z.string().optional() });
const Ask = z.object({
  key: z.string(),
  title: z.string().optional(),
  text: z.string(),
  plan: z.string().optional(),
  wants: z.enum(["string", "boolean", "number"]),
  choices: z.array(Choice),
  several: z.boolean(),
  free: z.boolean(),
  hide: z.boolean().optional(),
});
export type Ask = z.infer<typeof Ask>;

const Grant = z.object({
  ask: z.string(),
  verb: PermissionAction,
  title: z.string(),
  block: z.string().optional(),
  command: z.string().optional(),
  cwd: z.string().optional(),
  files: z.array(z.string()).optional(),
  patch: z.string().optional(),
  url: z.string().optional(),
  tool: z.string().optional(),
  args: z.unknown().optional(),
  because: z.string().optional(),
  forever: z.array(z.object({ verb: PermissionAction, exactly: z.string() })),
});
export type Grant = z.infer<typeof Grant>;

const Trouble = z.object({ code: Cause, text: z.string() });
const settings = {
  model: z.string().optional(),
  mode: z.string().optional(),
  variant: z.string().optional(),
  guard: PermissionMode.optional(),
};

const streams = ["words", "thought", "args", "printed"] as const;

/** What the agent says. Only the fields we read; others pass. */
export const MockSays = z.discriminatedUnion("ev", [
  z.object({
    ev: z.literal("hello"),
    version: z.string(),
    /** The directory it works in. */
    where: z.string().optional(),
    conversation: z.string(),
    model: z.string(),
    lost: z.boolean(),
  }),
  z.object({ ev: z.literal("refused"), text: z.string() }),
  z.object({ ev: z.literal("turn_open"), by: z.enum(["prompt", "self"]) }),
  z.object({
    ev: z.literal("turn_shut"),
    outcome: z.enum(["done", "stopped", "broken"]),
    trouble: z.object({ code: Cause.optional(), text: z.string().optional() }).optional(),
    prompts: z.array(z.string()).optional(),
    spent: Spent.optional(),
    dollars: z.number().nonnegative().optional(),
    /** How many prompts the conversation remembers now. */
    kept: z.int().nonnegative().optional(),
    result: z.unknown().optional(),
  }),
  z.object({ ev: z.literal("heard"), prompt: z.string(), block: z.string() }),
  z.object({ ev: z.literal("joined"), prompt: z.string() }),
  z.object({ ev: z.literal("block_open"), ...Block.shape }),
  z.object({
    ev: z.literal("block_more"),
    block: z.string(),
    at: z.int().nonnegative(),
    to: z.enum(streams),
    more: z.string(),
  }),
  z.object({ ev: z.literal("block_shut"), ...Block.shape }),
  /** Opened and shut at once. */
  z.object({ ev: z.literal("block"), ...Block.shape }),
  z.object({
    ev: z.literal("todo"),
    list: z.array(
      z.object({
        text: z.string(),
        is: z.enum(["open", "doing", "done", "dropped"]),
        weight: z.enum(["high", "medium", "low"]).optional(),
      }),
    ),
  }),
  z.object({ ev: z.literal("spent"), spent: Spent, dollars: z.number().nonnegative().optional() }),
  z.object({
    ev: z.literal("trouble"),
    ...Trouble.shape,
    again: z.boolean(),
    facts: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({
    ev: z.literal("ask"),
    ask: z.string(),
    about: z.enum(["question", "plan_approval"]),
    block: z.string().optional(),
    asks: z.array(Ask).min(1),
    prompts: z.array(AllowedPrompt).optional(),
  }),
  z.object({ ev: z.literal("may"), ...Grant.shape }),
  z.object({ ev: z.literal("ruled"), ...Grant.shape, allow: z.boolean(), words: z.string().optional() }),
  z.object({ ev: z.literal("never_mind"), ask: z.string() }),
  z.object({ ev: z.literal("waiting"), until: z.number() }),
  z.object({
    ev: z.literal("settings"),
    ...settings,
    title: z.string().optional(),
    conversation: z.string().optional(),
    version: z.string().optional(),
    lost: z.boolean().optional(),
    commands: z.array(z.object({ name: z.string(), more: z.string().optional() })).optional(),
  }),
  z.object({ ev: z.literal("pulse") }),
  z.object({ ev: z.literal("closed") }),
]);
export type MockSays = z.infer<typeof MockSays>;

/** What the agent is told. */
export const MockHears = z.discriminatedUnion("do", [
  z.object({ do: z.literal("prompt"), id: z.string(), text: z.string(), files: z.array(AttachmentInfo) }),
  z.object({ do: z.literal("nudge"), id: z.string(), text: z.string(), files: z.array(AttachmentInfo) }),
  z.object({ do: z.literal("rule"), ask: z.string(), allow: z.boolean(), words: z.string().optional() }),
  z.object({
    do: z.literal("reply"),
    ask: z.string(),
    picks: z.array(z.array(z.string())).nullable(),
    words: z.string().optional(),
    edited: z.string().optional(),
  }),
  z.object({ do: z.literal("stop") }),
  z.object({ do: z.literal("set"), ...settings }),
]);
export type MockHears = z.infer<typeof MockHears>;

export type MockNative = MockSays | MockHears;

/** How a conversation begins: the argument of the process, or the first line to a shared server. */
export interface MockSettings {
  conversation: string;
  resume: boolean;
  directory: string;
  /** Where conversations are remembered. */
  memory: string;
  model: string;
  guard: z.infer<typeof PermissionMode>;
  mode?: string;
  variant?: string;
  systemPrompt?: string;
}

/** Only between the adapter and a shared server; no converter sees them. */
export type MockServerOrder =
  | { do: "open"; session: string; settings: MockSettings }
  | { do: "close"; session: string };

/** Nearly every line of a long answer: read by hand, because the schema costs a twentieth of the way to the reader. */
export function isMore(native: unknown): native is Extract<MockSays, { ev: "block_more" }> {
  if (typeof native !== "object" || native === null || !("ev" in native) || native.ev !== "block_more") return false;
  const { block, at, to, more } = native as Record<string, unknown>;
  const isPlace = typeof block === "string" && Number.isSafeInteger(at) && (at as number) >= 0;
  return isPlace && typeof more === "string" && typeof to === "string" && streams.some((stream) => stream === to);
}
