import type { UniversalEvent } from "@muster/client";

/** What is counted while an agent works. */
export class TurnFigures {
  steps = 0;
  toolErrors = 0;
  refusedEdits = 0;
  permissions = 0;
  questions = 0;
  requests: number | undefined;
  costUsd: number | undefined;
  tokens = { input: 0, cached: 0, output: 0 };
  readonly #edits = new Set<string>();

  see(event: UniversalEvent): void {
    if (event.type === "permission.requested") this.permissions++;
    if (event.type === "question.requested") this.questions++;
    if (event.type === "item.started") this.#seeStart(event.data.item);
    if (event.type === "item.completed") this.#seeEnd(event.data.item);
    if (event.type === "turn.ended") this.#seeTurn(event.data);
  }

  /** Of the tokens sent, those from the provider's cache. */
  get prefixReuse(): number | undefined {
    return this.tokens.input === 0 ? undefined : Math.min(1, this.tokens.cached / this.tokens.input);
  }

  #seeStart({ kind, content }: Item): void {
    if (kind !== "tool_call") return;
    this.steps++;
    for (const part of content) if (part.type === "tool_call" && part.toolKind === "edit") this.#edits.add(part.callId);
  }

  #seeEnd({ kind, content }: Item): void {
    if (kind !== "tool_result") return;
    for (const part of content) {
      if (part.type !== "tool_result" || !part.isError) continue;
      this.toolErrors++;
      if (this.#edits.has(part.callId)) this.refusedEdits++;
    }
  }

  /** The gateway's count is believed before the agent's own. */
  #seeTurn({ wire, usage, costUsd }: TurnEnd): void {
    const counted = wire ?? usage;
    this.tokens.input += counted?.inputTokens ?? 0;
    this.tokens.cached += counted?.cachedInputTokens ?? 0;
    this.tokens.output += counted?.outputTokens ?? 0;
    const cost = wire === undefined ? costUsd : (wire.billedUsd ?? wire.listUsd);
    if (cost !== undefined) this.costUsd = (this.costUsd ?? 0) + cost;
    if (wire !== undefined) this.requests = (this.requests ?? 0) + wire.requests;
  }
}

type DataOf<Type extends UniversalEvent["type"]> = Extract<UniversalEvent, { type: Type }>["data"];
type Item = DataOf<"item.started">["item"];
type TurnEnd = DataOf<"turn.ended">;
