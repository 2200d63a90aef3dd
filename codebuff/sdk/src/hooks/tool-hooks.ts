import { errorOutput, outputError, type ToolCall, type ToolOutput } from "@muster/codebuff-protocol";
import type { PermissionAnswer, PermissionRequest } from "@muster/codebuff-workspace";
import type { HookOutcome } from "./hook-outcome.ts";
import type { Hooks } from "./hooks.ts";
import { hookedCalls, hookedResponse } from "./tool-names.ts";

/** What became of a call before it ran: refused, or let pass, maybe with another input. */
export type HookedStart<Call> =
  | { readonly call: Call; readonly asks?: string }
  | { readonly call: Call; readonly refused: ToolOutput };

/** The hooks around the calls of tools. */
export class ToolHooks {
  readonly #hooks: Hooks;
  readonly #root: string;
  /** Calls that a hook has allowed: the person is not asked. */
  readonly #allowed = new Set<string>();
  /** What hooks have to tell the model of a call that runs. */
  readonly #context = new Map<string, string[]>();

  constructor(hooks: Hooks, root: string) {
    this.#hooks = hooks;
    this.#root = root;
  }

  async before<Call extends ToolCall>(call: Call): Promise<HookedStart<Call>> {
    if (!this.#hooks.has("PreToolUse")) return { call };
    let changed = call;
    let asks: string | undefined;
    for (const hooked of hookedCalls(call, this.#root)) {
      const [name] = hooked.names;
      const fields = { tool_name: name, tool_input: hooked.input, tool_use_id: call.toolCallId };
      const outcome = await this.#hooks.fire("PreToolUse", fields, hooked.names);
      const { permission, permissionReason: reason = "A hook asks for it" } = outcome;
      if (outcome.block !== undefined) return { call, refused: errorOutput(`A hook refuses it: ${outcome.block}`) };
      if (permission === "ask") asks = reason;
      if (permission === "allow") this.#allowed.add(call.toolCallId);
      this.#keep(call, outcome.context);
      if (outcome.updatedInput === undefined) continue;
      if (hooked.withChanges === undefined)
        return {
          call,
          refused: errorOutput(`A hook wants another input, which ${call.toolName} cannot be given here`),
        };
      changed = { ...call, input: hooked.withChanges(outcome.updatedInput) };
    }
    return { call: changed, asks };
  }

  /** Undefined: the person is asked. */
  async permission({ toolCallId, reason }: PermissionRequest, call: ToolCall): Promise<PermissionAnswer | undefined> {
    if (this.#allowed.delete(toolCallId)) return { decision: "once" };
    if (!this.#hooks.has("PermissionRequest")) return undefined;
    const [hooked] = hookedCalls(call, this.#root);
    if (hooked === undefined) return undefined;
    const fields = { tool_name: hooked.names[0], tool_input: hooked.input, tool_use_id: toolCallId, reason };
    const { permission, permissionReason, block } = await this.#hooks.fire("PermissionRequest", fields, hooked.names);
    if (permission === "deny" || block !== undefined)
      return { decision: "deny", message: block ?? permissionReason ?? "A hook denies it" };
    return permission === "allow" ? { decision: "once" } : undefined;
  }

  notify(type: "permission_prompt" | "elicitation_dialog", message: string): void {
    this.#hooks.tell("Notification", { message, notification_type: type }, [type]);
  }

  /** The result with what hooks have to say of it. */
  async after(call: ToolCall, output: ToolOutput): Promise<ToolOutput> {
    const event = outputError(output) === undefined ? "PostToolUse" : "PostToolUseFailure";
    if (this.#hooks.has(event)) {
      for (const hooked of hookedCalls(call, this.#root)) {
        const response = hookedResponse(call, hooked, output);
        const told = event === "PostToolUse" ? { tool_response: response } : { error: outputError(output) };
        const fields = { tool_name: hooked.names[0], tool_input: hooked.input, tool_use_id: call.toolCallId, ...told };
        this.#keep(call, saidBy(await this.#hooks.fire(event, fields, hooked.names)));
      }
    }
    this.#allowed.delete(call.toolCallId);
    const said = this.#context.get(call.toolCallId) ?? [];
    this.#context.delete(call.toolCallId);
    return said.length === 0 ? output : [...output, { type: "json", value: { hooks: said } }];
  }

  get areThere(): boolean {
    return (["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const).some((event) => this.#hooks.has(event));
  }

  #keep({ toolCallId }: ToolCall, said: readonly string[]): void {
    if (said.length > 0) this.#context.set(toolCallId, [...(this.#context.get(toolCallId) ?? []), ...said]);
  }
}

function saidBy({ block, context }: HookOutcome): string[] {
  return [...(block === undefined ? [] : [block]), ...context];
}
