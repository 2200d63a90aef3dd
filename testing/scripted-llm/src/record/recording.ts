import { replaceFile } from "@muster/node";
import { stringify } from "yaml";
import type { ModelRequest } from "../request/model-request.ts";
import { Conversations } from "../script/conversation.ts";
import { firstUserSha256 } from "../script/match.ts";
import type { RawReply, ScriptInput, TurnInput } from "../script/script.ts";

type Reply = Partial<RawReply> & { status: number };

interface RecordedConversation {
  readonly name: string;
  readonly firstUserSha256: string;
  readonly turns: TurnInput[];
}

/** Collects exchanges with a real service and turns them into a script, within a number of bytes. */
export class Recording {
  readonly #mostBytes: number;
  // The rules that tell agents apart while serving also sort what was recorded.
  readonly #sorter = new Conversations({ conversations: [{ turns: [{ text: "-", times: "always" }] }] });
  readonly #conversations = new Map<number, RecordedConversation>();
  readonly #routes = new Map<string, Reply & { method: string; path: string }>();
  #bytes = 0;
  #left = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Exchanges that did not fit any more or could not be read. */
  get leftOut(): number {
    return this.#left;
  }

  get size(): number {
    return [...this.#conversations.values()].reduce((sum, { turns }) => sum + turns.length, this.#routes.size);
  }

  /** Called when a model request comes in; the returned function takes its reply, or nothing if there was none. */
  begin(request: ModelRequest): (reply: Reply | undefined) => void {
    const served = this.#sorter.answer({ ...request, replyIds: [], replyIdsSincePrompt: [] });
    if ("reason" in served) throw new Error(served.reason);
    const { live } = served.place;
    return (reply) => {
      served.settle(reply !== undefined && reply.status < 400 && reply.cut !== true);
      if (reply === undefined || !this.#fits(reply)) return;
      const conversation = this.#conversations.get(live) ?? this.#open(live, request);
      conversation.turns.push({ requestSha256: request.sha256, recorded: reply });
    };
  }

  addRoute(method: string, path: string, reply: Reply): void {
    if (this.#fits(reply)) this.#routes.set(`${method} ${path}`, { method, path, ...reply });
  }

  leaveOut(): void {
    this.#left += 1;
  }

  toScript(): ScriptInput {
    const conversations = [...this.#conversations.values()].map(({ name, firstUserSha256, turns }) => {
      return { name, once: true, match: { firstUserSha256 }, turns };
    });
    const routes = [...this.#routes.values()];
    return { name: "recording", routes: routes.length === 0 ? undefined : routes, conversations };
  }

  /** Replaces the file as a whole: a reader sees the old recording or the new one. */
  async save(file: string): Promise<void> {
    const script = this.toScript();
    const text = file.endsWith(".json") ? `${JSON.stringify(script, null, 2)}\n` : stringify(script, { lineWidth: 0 });
    await replaceFile(file, text, { mode: 0o644 });
  }

  #open(live: number, request: ModelRequest): RecordedConversation {
    const opening = (request.userTexts[0] ?? "").replaceAll(/\s+/g, " ").slice(0, 40);
    const name = `${live}: ${opening}`;
    const conversation = { name, firstUserSha256: firstUserSha256(request), turns: [] };
    this.#conversations.set(live, conversation);
    return conversation;
  }

  #fits(reply: Reply): boolean {
    const bytes = reply.body?.length ?? 0;
    if (this.#bytes + bytes > this.#mostBytes) {
      this.leaveOut();
      return false;
    }
    this.#bytes += bytes;
    return true;
  }
}
