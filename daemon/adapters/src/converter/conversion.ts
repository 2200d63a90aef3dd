import type { Line } from "@muster/node";
import type { Command } from "../commands.ts";
import type { AgentExited, Signal } from "../signals.ts";
import type { Converter, Input, Resume } from "./converter.ts";
import { parseLine } from "./parse-line.ts";
import { unparsed, unparsedLine } from "./unparsed.ts";

/** A converter with its state: lines and commands in, signals out. Nothing an agent says makes it throw. */
export class Conversion<State, Native> {
  readonly #converter: Converter<State, Native>;
  #state: State;

  constructor(converter: Converter<State, Native>, resume?: Resume) {
    this.#converter = converter;
    this.#state = converter.initial(resume);
  }

  get state(): State {
    return this.#state;
  }

  /** The hot path. What is to be sent back is added to `replies`. */
  line(line: Line, replies: Native[]): readonly Signal[] {
    if (typeof line !== "string") return [unparsedLine(line)];
    let native: Native;
    try {
      // An agent can say anything: a converter checks what it reads, the type is only what it hopes for.
      native = parseLine(line) as Native;
    } catch (error) {
      return [unparsed(line, (error as Error).message, "json")];
    }
    return this.#guarded({ native }, native, replies);
  }

  /** Throws only what the converter throws, with nothing changed: the caller asked for something it cannot say. */
  command(command: Command, replies: Native[]): readonly Signal[] {
    return this.#step({ command }, replies);
  }

  tick(nowMs: number, replies: Native[]): readonly Signal[] {
    return this.#guarded({ tick: true, nowMs }, { nowMs }, replies);
  }

  /** The last signals of a life, `agent.exited` at the end. */
  exit(exit: AgentExited): readonly Signal[] {
    return [...this.#guarded({ exit }, exit, []), { type: "agent.exited", data: exit }];
  }

  #guarded(input: Input<Native>, raw: unknown, replies: Native[]): readonly Signal[] {
    try {
      return this.#step(input, replies);
    } catch (error) {
      return [unparsed(raw, `The converter failed: ${String(error)}`, "converter")];
    }
  }

  #step(input: Input<Native>, replies: Native[]): readonly Signal[] {
    const step = this.#converter.step(this.#state, input);
    this.#state = step.state;
    if (step.replies.length > 0) replies.push(...step.replies);
    return step.bodies;
  }
}
