import type { AgentLines, InputLines } from "@muster/adapters/converters";
import type { Failure } from "@muster/schema/wire";
import type { LineConversion } from "./line-converter.ts";

/** What an agent is told in the lines of another; without an agent they are our own commands. */
export class InputConversion implements LineConversion {
  readonly #from: AgentLines | undefined;
  readonly #to: AgentLines | undefined;
  readonly #universal: InputLines;
  readonly leftOut = new Map<string, number>();
  #messages = 0;

  constructor(from: AgentLines | undefined, to: AgentLines | undefined, universal: InputLines) {
    this.#from = from;
    this.#to = to;
    this.#universal = universal;
  }

  line(line: string, invalid: (what: string) => Failure): string[] {
    const command = this.#named((this.#from?.input ?? this.#universal).read(line));
    if (command.type === "unparsed") {
      if (!this.#from) throw invalid("is not a command");
      if (!this.#to) return [JSON.stringify(command)];
      this.#count("lines that are no command");
      return [];
    }
    for (const { what, rest } of this.#to?.leftOut.input ?? []) if (rest(command, true) !== command) this.#count(what);
    return (this.#to?.input ?? this.#universal).write(command).map((written) => JSON.stringify(written));
  }

  /** Agents that name no messages get them numbered: every other side needs a name. */
  #named(command: ReturnType<InputLines["read"]>): ReturnType<InputLines["read"]> {
    if (command.type !== "message") return command;
    this.#messages++;
    return command.messageId === "" ? { ...command, messageId: `message_${this.#messages}` } : command;
  }

  end(): string[] {
    return [];
  }

  #count(what: string): void {
    this.leftOut.set(what, (this.leftOut.get(what) ?? 0) + 1);
  }
}
