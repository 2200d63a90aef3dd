import { createHash } from "node:crypto";
import type { ModelRequest } from "../request/model-request.ts";
import { matches, mismatches } from "./match.ts";
import { placeOf, type ReplyPlace } from "./reply-id.ts";
import type { Conversation, Script, Turn, TurnFunction } from "./script.ts";

type Each = NonNullable<Conversation["each"]>;

/** One agent's way through the turns of a scripted conversation. */
interface Live {
  readonly number: number;
  readonly conversation: number;
  /** The scripted conversation and what the request told of itself. */
  readonly key: string;
  /** How often each turn was served. */
  readonly served: number[];
  /** Replies that the client can have kept in its history. */
  kept: number;
  given: number;
  busy: number;
}

/** The turn that answers a request. `settle` must be called once, when the reply is over. */
export interface Served {
  readonly turn: Turn | TurnFunction;
  readonly place: ReplyPlace;
  readonly conversation: string;
  /** Counted from 1. */
  readonly turnNumber: number;
  settle(kept: boolean): void;
}

export interface Unanswered {
  readonly reason: string;
}

/** Finds the turn for each request. Many agents at once; nothing but the request tells them apart. */
export class Conversations {
  readonly #script: Script;
  readonly #isRecording: boolean;
  readonly #mostLive: number;
  readonly #live = new Map<number, Live>();
  readonly #byKey = new Map<string, Live[]>();
  readonly #newest = new Map<number, Live>();
  #started = 0;

  /** Beyond `mostLive` the oldest conversations are forgotten. */
  constructor(script: Script, mostLive = 10_000) {
    this.#script = script;
    this.#mostLive = mostLive;
    this.#isRecording = script.conversations.some(({ turns }) => {
      return turns.some((turn) => typeof turn === "object" && turn.requestSha256 !== undefined);
    });
  }

  answer(request: ModelRequest): Served | Unanswered {
    const exact = this.#isRecording ? this.#recordedFor(request) : undefined;
    if (exact !== undefined) return exact;
    const found = this.#liveFor(request);
    if (found === undefined) return { reason: this.#whyNoConversation(request) };
    const turns = this.#conversation(found.conversation).turns;
    const index = turns.findIndex(
      (turn, at) => hasTimesLeft(turn, found.served[at] ?? 0) && matchesTurn(turn, request),
    );
    if (index === -1) return { reason: this.#whyNoTurn(found, request) };
    return this.#serve(found, index);
  }

  reset(): void {
    this.#live.clear();
    this.#byKey.clear();
    this.#newest.clear();
    this.#started = 0;
  }

  /** A recorded turn whose request had the same bytes: what a deterministic client sends again. */
  #recordedFor(request: ModelRequest): Served | undefined {
    for (const [at, conversation] of this.#script.conversations.entries()) {
      const live = this.#newest.get(at);
      const index = conversation.turns.findIndex(
        (turn, turnAt) =>
          typeof turn === "object" &&
          turn.requestSha256 === request.sha256 &&
          hasTimesLeft(turn, live?.served[turnAt] ?? 0),
      );
      if (index !== -1) return this.#serve(live ?? this.#start(at, request), index);
    }
    return undefined;
  }

  #liveFor(request: ModelRequest): Live | undefined {
    const named = request.headers["x-scripted-conversation"];
    const wanted = this.#script.conversations.findIndex((conversation, at) => {
      if (named !== undefined) return conversation.name === named;
      if (conversation.match === undefined || !matches(conversation.match, request)) return false;
      return conversation.once !== true || this.#isFree(at, request);
    });
    if (wanted !== -1) return this.#continued(request, wanted) ?? this.#start(wanted, request);
    if (named !== undefined) return undefined;
    const continued = this.#continued(request);
    if (continued !== undefined) return continued;
    const open = this.#script.conversations.findIndex(
      (conversation, at) =>
        conversation.match === undefined && (conversation.once !== true || this.#isFree(at, request)),
    );
    return open === -1 ? undefined : this.#start(open, request);
  }

  /** The live conversation that a request goes on with, among all or among those of one scripted conversation. */
  #continued(request: ModelRequest, conversation?: number): Live | undefined {
    const byId = this.#byReplyId(request);
    if (byId !== undefined && (conversation === undefined || byId.conversation === conversation)) return byId;
    const keys = { session: keyOf("session", request), prompt: keyOf("prompt", request) };
    const wanted = conversation === undefined ? [...this.#script.conversations.keys()] : [conversation];
    const same = wanted.flatMap((at) => this.#byKey.get(`${at} ${keys[this.#eachOf(at)]}`) ?? []);
    const progress = (live: Live) => {
      return this.#eachOf(live.conversation) === "prompt" ? request.repliesSincePrompt : request.replies;
    };
    const fitting = same.findLast((live) => live.busy === 0 && live.kept === progress(live));
    // Without a reply in its history a request opens a conversation, unless the one before never got its reply.
    return fitting ?? same.findLast((live) => progress(live) > 0);
  }

  #byReplyId(request: ModelRequest): Live | undefined {
    // In a recording the ids are another server's.
    if (this.#isRecording) return undefined;
    for (const [ids, each] of [
      [request.replyIdsSincePrompt, "prompt"],
      [request.replyIds, "session"],
    ] as const) {
      for (const id of ids) {
        const place = placeOf(id);
        const live = place === undefined ? undefined : this.#live.get(place.live);
        if (place === undefined || live === undefined || live.given < place.reply) continue;
        if (this.#eachOf(live.conversation) === each) return live;
      }
    }
    return undefined;
  }

  #isFree(conversation: number, request: ModelRequest): boolean {
    const taken = this.#newest.get(conversation);
    return taken === undefined || this.#continued(request, conversation) === taken;
  }

  #start(conversation: number, request: ModelRequest): Live {
    this.#started += 1;
    const key = `${conversation} ${keyOf(this.#eachOf(conversation), request)}`;
    const live: Live = { number: this.#started, conversation, key, served: [], kept: 0, given: 0, busy: 0 };
    this.#live.set(live.number, live);
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), live]);
    this.#newest.set(conversation, live);
    this.#forgetOldest();
    return live;
  }

  #forgetOldest(): void {
    for (const live of this.#live.values()) {
      if (this.#live.size <= this.#mostLive) return;
      if (live.busy > 0) continue;
      this.#live.delete(live.number);
      const others = (this.#byKey.get(live.key) ?? []).filter((other) => other !== live);
      if (others.length > 0) this.#byKey.set(live.key, others);
      else this.#byKey.delete(live.key);
      if (this.#newest.get(live.conversation) === live) this.#newest.delete(live.conversation);
    }
  }

  #serve(live: Live, index: number): Served {
    const turn = this.#conversation(live.conversation).turns[index] as Turn | TurnFunction;
    live.served[index] = (live.served[index] ?? 0) + 1;
    live.given += 1;
    live.busy += 1;
    return {
      turn,
      place: { live: live.number, reply: live.given },
      conversation: this.#nameOf(live.conversation),
      turnNumber: index + 1,
      settle: (kept) => {
        live.busy -= 1;
        if (kept) live.kept += 1;
      },
    };
  }

  #conversation(at: number): Conversation {
    return this.#script.conversations[at] as Conversation;
  }

  #eachOf(at: number): Each {
    return this.#conversation(at).each ?? "session";
  }

  #nameOf(at: number): string {
    return this.#conversation(at).name ?? `conversation ${at + 1}`;
  }

  #whyNoConversation(request: ModelRequest): string {
    const named = request.headers["x-scripted-conversation"];
    if (named !== undefined) return `The script has no conversation called "${named}"`;
    const reasons = this.#script.conversations.map((conversation, at) => {
      const first = conversation.match === undefined ? undefined : mismatches(conversation.match, request)[0];
      if (first === undefined) return `${this.#nameOf(at)} is taken`;
      return `${this.#nameOf(at)} wants ${first.field} "${first.wanted}", found "${first.found}"`;
    });
    return `No conversation of the script matches this request: ${reasons.join("; ")}`;
  }

  #whyNoTurn(live: Live, request: ModelRequest): string {
    const name = this.#nameOf(live.conversation);
    const turns = this.#conversation(live.conversation).turns;
    const waiting = turns.flatMap((turn, at) => {
      if (!hasTimesLeft(turn, live.served[at] ?? 0) || typeof turn === "function") return [];
      const first = turn.match === undefined ? undefined : mismatches(turn.match, request)[0];
      return first === undefined
        ? []
        : [`turn ${at + 1} wants ${first.field} "${first.wanted}", found "${first.found}"`];
    });
    if (waiting.length === 0) return `${name}: all ${turns.length} turns are used up`;
    return `${name}: no turn left that matches: ${waiting.join("; ")}`;
  }
}

function hasTimesLeft(turn: Turn | TurnFunction, served: number): boolean {
  const times = typeof turn === "function" ? 1 : (turn.times ?? 1);
  return times === "always" || served < times;
}

function matchesTurn(turn: Turn | TurnFunction, request: ModelRequest): boolean {
  return typeof turn === "function" || matches(turn.match, request);
}

/** Agents that send the same words in the same session share a key; see `#continued` for how they stay apart. */
function keyOf(each: Each, request: ModelRequest): string {
  const words =
    each === "prompt" ? `${request.userTexts.length} ${request.userTexts.at(-1) ?? ""}` : (request.userTexts[0] ?? "");
  return createHash("sha256")
    .update(`${request.session ?? ""}\n${words}`)
    .digest("hex");
}
