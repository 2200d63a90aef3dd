import type { Command } from "@muster/adapters";
import type { AgentLife } from "./agent-life.ts";

/** The life that goes on now, if one does. `Lives` puts it in and takes it out; who has to tell the agent something asks here. */
export class CurrentLife {
  life: AgentLife | undefined;
  isOpening = false;

  get isAlive(): boolean {
    return this.life !== undefined && !this.life.isClosing;
  }

  tell(command: Command): void {
    void this.life?.send(command);
  }
}
