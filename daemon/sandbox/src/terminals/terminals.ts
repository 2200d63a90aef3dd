import type { SandboxProcess } from "../processes/sandbox-process.ts";
import { TerminalView } from "./terminal-view.ts";
import { Viewer, type ViewerOptions, Writers } from "./viewer.ts";

interface Open {
  readonly view: Promise<TerminalView>;
  readonly writers: Writers;
}

/** The terminals of processes: their screens, and who looks at them. */
export class Terminals {
  readonly #open = new Map<SandboxProcess, Open>();

  /** The screen of this process from now on; for one that runs it is kept until its end. */
  watch(process: SandboxProcess, { isNew = false }: { isNew?: boolean } = {}): Promise<TerminalView> {
    return this.#enter(process, isNew).view;
  }

  /** Shows a terminal to somebody, until either side is done. */
  async attach(process: SandboxProcess, options: ViewerOptions): Promise<void> {
    const { view, writers } = this.#enter(process);
    await new Viewer({ process, view: await view, writers, ...options }).run();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(async ({ view }) => (await view.catch(() => undefined))?.close()));
    this.#open.clear();
  }

  #enter(process: SandboxProcess, isNew = false): Open {
    const known = this.#open.get(process);
    if (known !== undefined) return known;
    const opened = { view: TerminalView.open(process, isNew), writers: new Writers() };
    this.#open.set(process, opened);
    opened.view.catch(() => this.#open.delete(process));
    void process.ended.then(() => this.#leaveLater(process, opened));
    return opened;
  }

  /** Whoever looks at the end goes on looking; the last screen is on disk for those who come later. */
  async #leaveLater(process: SandboxProcess, { view }: Open): Promise<void> {
    setTimeout(() => {
      this.#open.delete(process);
      void view.then((opened) => opened.close()).catch(() => {});
    }, endedMs).unref();
  }
}

const endedMs = 10_000;
