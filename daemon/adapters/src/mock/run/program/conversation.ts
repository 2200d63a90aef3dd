import type { MockHears, MockSays, MockSettings } from "../../wire/native.ts";
import { Memory } from "./memory.ts";
import type { Output } from "./output.ts";
import { promptFor } from "./prompts.ts";
import type { Program, ScriptEnd } from "./script.ts";
import { Turn } from "./turn.ts";
import { version } from "./version.ts";

export interface ConversationOptions {
  settings: MockSettings;
  output: Output;
  /** The line as it is written: on a shared server it also names its session. */
  frame: (line: MockSays) => object;
  program: Program;
}

type Given = Extract<MockHears, { do: "prompt" | "nudge" }>;

/** One conversation: prompts one after the other, each as a turn. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #memory: Memory;
  #turns: number;
  #turn: Turn | undefined;
  #afterwards: (() => void)[] = [];
  #waiting: Given[] = [];
  #closed = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { memory, conversation, resume, model, directory } = options.settings;
    this.#memory = new Memory(memory, conversation, resume);
    this.#turns = this.#memory.prompts.length;
    this.#say({ ev: "hello", version, where: directory, conversation, model, lost: this.#memory.lost });
  }

  hear(line: MockHears): void {
    switch (line.do) {
      case "prompt":
        this.#take(line);
        return;
      case "nudge":
        this.#nudge(line);
        return;
      case "rule":
        this.#turn?.answered(line.ask, { allow: line.allow, words: line.words });
        return;
      case "reply":
        this.#turn?.answered(line.ask, { picks: line.picks, words: line.words, edited: line.edited });
        return;
      case "stop":
        this.#turn?.stop();
        return;
      case "set": {
        const { model, mode, variant, guard } = line;
        const changed = Object.fromEntries(
          Object.entries({ model, mode, variant, guard }).filter(([, value]) => value !== undefined),
        );
        Object.assign(this.#options.settings, changed);
        this.#say({ ev: "settings", ...changed });
        return;
      }
    }
  }

  /** Nothing is said after `closed`. */
  close(): void {
    if (this.#closed) return;
    this.#waiting = [];
    this.#turn?.stop();
    this.#say({ ev: "closed" });
    this.#closed = true;
  }

  #say(line: MockSays): void {
    if (!this.#closed) this.#options.output.say(this.#options.frame(line));
  }

  #nudge(line: Given): void {
    if (this.#turn === undefined) this.#take(line);
    else if (!this.#turn.stubborn) {
      this.#turn.nudges.push(line.text);
      this.#say({ ev: "joined", prompt: line.id });
    }
  }

  #take(line: Given): void {
    this.#waiting.push(line);
    if (this.#turn === undefined) void this.#next();
  }

  async #next(): Promise<void> {
    const given = this.#waiting.shift();
    if (given === undefined || this.#closed) return;
    // A nudge that found no turn to join becomes one of its own.
    const turn = this.#open(given.text, given.do === "nudge" ? "self" : "prompt");
    this.#say({ ev: "heard", prompt: given.id, block: `p${turn.number}` });
    for (const { path, mime } of given.files) turn.note("file received", `${path} (${mime})`);
    const { run, argument } = promptFor(given.text);
    const scene = {
      turn,
      argument,
      memory: this.#memory,
      program: this.#options.program,
      afterwards: (action: () => void) => this.#afterwards.push(action),
      ownTurn: (script: (turn: Turn) => Promise<undefined>) => void this.#own(script),
    };
    await this.#run(turn, [given.id], () => run(scene), given.text);
    void this.#next();
  }

  async #own(script: (turn: Turn) => Promise<undefined>): Promise<void> {
    if (this.#closed || this.#turn !== undefined) return;
    const turn = this.#open("", "self");
    await this.#run(turn, [], () => script(turn));
    void this.#next();
  }

  #open(text: string, by: "prompt" | "self"): Turn {
    this.#turns++;
    const { settings, output, frame } = this.#options;
    this.#turn = new Turn({ number: this.#turns, text, settings, output, frame, say: (line) => this.#say(line) });
    this.#say({ ev: "turn_open", by });
    return this.#turn;
  }

  async #run(
    turn: Turn,
    prompts: string[],
    script: () => Promise<ScriptEnd | undefined>,
    remembered?: string,
  ): Promise<void> {
    const end = await script()
      .then(async (result) => {
        for (const nudge of turn.nudges.splice(0)) await turn.tell(`You added: ${nudge}`);
        return result;
      })
      .catch((error: Error): ScriptEnd => {
        if (turn.signal.aborted) return { outcome: "stopped" };
        return { outcome: "broken", trouble: { code: "agent_error", text: error.message } };
      });
    turn.close();
    const spent = { in: 10 + Math.ceil(turn.text.length / 4), out: turn.outTokens, context: 100, window: 100_000 };
    const dollars = Number(((spent.in + spent.out * 4) / 1_000_000).toFixed(6));
    this.#say({ ev: "spent", spent, dollars });
    if (remembered !== undefined) this.#memory.remember(remembered);
    const kept = this.#memory.prompts.length;
    this.#say({ ev: "turn_shut", outcome: "done", prompts, spent, dollars, kept, ...end });
    this.#turn = undefined;
    for (const action of this.#afterwards.splice(0)) action();
  }
}
