import { messageOf } from "@muster/core";
import { Observable } from "@muster/web-parts";
import type { Daemon } from "./daemon.ts";

export interface Notice {
  id: number;
  text: string;
  isFailure: boolean;
}

const shownMs = 8_000;

/** What the page tells at its edge for a while. */
export class Notices extends Observable {
  shown: readonly Notice[] = [];
  #next = 1;

  tell(text: string, isFailure = false): void {
    const notice = { id: this.#next++, text, isFailure };
    this.shown = [...this.shown, notice].slice(-4);
    this.changed();
    setTimeout(() => this.drop(notice.id), shownMs);
  }

  drop(id: number): void {
    this.shown = this.shown.filter((notice) => notice.id !== id);
    this.changed();
  }

  /** Does it; a failure is told. Resolves with whether it was done. */
  async attempt(daemon: Daemon, task: () => Promise<unknown>): Promise<boolean> {
    try {
      await task();
      return true;
    } catch (error) {
      if (!daemon.locksOn(error)) this.tell(messageOf(error), true);
      return false;
    }
  }
}
