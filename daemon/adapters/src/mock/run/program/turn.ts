import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import type { Ask, Block, Grant, MockSays, MockSettings, Piece } from "../../wire/native.ts";
import type { Output } from "./output.ts";

export interface TurnOptions {
  number: number;
  text: string;
  settings: MockSettings;
  say: (line: MockSays) => void;
  frame: (line: MockSays) => object;
  output: Output;
}

export interface Verdict {
  allow: boolean;
  words?: string | undefined;
}

export interface Answer {
  /** null when the person declined. */
  picks: string[][] | null;
  words?: string | undefined;
  edited?: string | undefined;
}

/** Asking is the same for permissions and questions; the agent checks what it gets back by its own question. */
type Reply = Verdict | Answer;

/** What a script can do while its turn is open. Every wait ends with an exception when the turn is stopped. */
export class Turn {
  readonly number: number;
  readonly text: string;
  readonly settings: MockSettings;
  readonly say: (line: MockSays) => void;
  /** For a line that is written by hand. */
  readonly frame: (line: MockSays) => object;
  readonly output: Output;
  readonly nudges: string[] = [];
  outTokens = 0;
  /** A stubborn turn neither stops nor takes nudges. */
  stubborn = false;
  readonly #stop = new AbortController();
  readonly #open = new Set<OpenBlock>();
  readonly #asked = new Map<string, (reply: Reply) => void>();
  #count = 0;

  constructor(options: TurnOptions) {
    this.number = options.number;
    this.text = options.text;
    this.settings = options.settings;
    this.say = options.say;
    this.frame = options.frame;
    this.output = options.output;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  stop(): void {
    if (!this.stubborn) this.#stop.abort();
  }

  /** Ends what is still open, so that a stopped turn leaves nothing behind. */
  close(): void {
    for (const ask of this.#asked.keys()) this.say({ ev: "never_mind", ask });
    this.#asked.clear();
    for (const block of this.#open) if (!block.detached) block.close({ state: "cancelled" });
  }

  newId(): string {
    this.#count++;
    return `${this.number}.${this.#count}`;
  }

  open(block: Omit<Block, "block" | "state">): OpenBlock {
    const opened: OpenBlock = new OpenBlock(this, { block: `b${this.newId()}`, state: "in_progress", ...block }, () =>
      this.#open.delete(opened),
    );
    this.#open.add(opened);
    return opened;
  }

  whole(block: Omit<Block, "block" | "state"> & { state?: Block["state"] }): void {
    this.say({ ev: "block", block: `b${this.newId()}`, state: "completed", ...block });
  }

  note(label: string, more?: string): void {
    this.whole({ what: "status", pieces: [{ as: "note", label, more }] });
  }

  /** One message, word by word. */
  async tell(text: string, inside?: string): Promise<void> {
    const block = this.open({
      what: "message",
      voice: "assistant",
      pieces: [{ as: "words", words: "" }],
      inside,
    });
    await this.#stream(block, "words", text);
    block.close();
  }

  async think(text: string): Promise<void> {
    const block = this.open({
      what: "reasoning",
      voice: "assistant",
      pieces: [{ as: "thought", words: "", hidden: false }],
    });
    await this.#stream(block, "thought", text);
    block.close();
  }

  async #stream(block: OpenBlock, to: "words" | "thought", text: string): Promise<void> {
    for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
      block.more(0, to, word);
      this.outTokens++;
      if (this.outTokens % 512 === 0) await this.breathe();
    }
  }

  /** Waits for the pipe and lets what was told in the meantime be heard. */
  async breathe(): Promise<void> {
    await this.output.room();
    await nextRound(undefined, { signal: this.signal });
  }

  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.signal });
  }

  async ask(about: "question" | "plan_approval", asks: Ask[], block?: OpenBlock): Promise<Answer> {
    // A person who stopped the turn at one question is not asked the next.
    this.signal.throwIfAborted();
    const ask = `ask_${this.newId()}`;
    this.say({ ev: "ask", ask, about, asks, block: block?.id });
    return (await this.#reply(ask)) as Answer;
  }

  async askPermission(grant: Omit<Grant, "ask" | "block">, block: OpenBlock): Promise<Verdict> {
    this.signal.throwIfAborted();
    const ask = `ask_${this.newId()}`;
    this.say({ ev: "may", ask, block: block.id, ...grant });
    return (await this.#reply(ask)) as Verdict;
  }

  answered(ask: string, reply: Reply): void {
    this.#asked.get(ask)?.(reply);
    this.#asked.delete(ask);
  }

  #reply(ask: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#asked.set(ask, resolve);
      this.signal.addEventListener("abort", () => reject(this.signal.reason), { once: true });
    });
  }
}

/** A block between `block_open` and `block_shut`; it knows what it has said so far. */
export class OpenBlock {
  readonly id: string;
  readonly detached: boolean;
  readonly #turn: Turn;
  readonly #block: Block;
  readonly #onShut: () => void;

  constructor(turn: Turn, block: Block, onShut: () => void) {
    this.#turn = turn;
    this.#block = { ...block, pieces: block.pieces.map((piece) => ({ ...piece })) };
    this.#onShut = onShut;
    this.id = block.block;
    this.detached = block.detached ?? false;
    turn.say({ ev: "block_open", ...block });
  }

  more(at: number, to: "words" | "thought" | "args" | "printed", more: string): void {
    const piece = this.#block.pieces[at];
    if (piece !== undefined && "words" in piece) piece.words += more;
    this.#turn.say({ ev: "block_more", block: this.id, at, to, more });
  }

  /** What a piece has become, for when it is shut early. */
  settle(at: number, piece: Piece): void {
    this.#block.pieces[at] = piece;
  }

  close({ state = "completed", pieces = this.#block.pieces }: { state?: Block["state"]; pieces?: Piece[] } = {}): void {
    this.#turn.say({ ev: "block_shut", ...this.#block, state, pieces });
    this.#onShut();
  }
}
