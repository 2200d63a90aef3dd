import { type Grant, isLimited } from "@muster/http";
import type { Processes, ProcessFilter, SandboxProcess, StartOptions } from "@muster/sandbox";
import { Failure } from "@muster/schema/wire";
import type { VisibleSessions } from "./visible-sessions.ts";

/** The processes that whoever asks may see: of the sessions that are visible, and without a limit all. */
export class VisibleProcesses {
  readonly #processes: Processes;
  readonly #sessions: VisibleSessions;
  readonly #grant: Grant;

  constructor(processes: Processes, sessions: VisibleSessions, grant: Grant) {
    this.#processes = processes;
    this.#sessions = sessions;
    this.#grant = grant;
  }

  /** One of somebody else's is told exactly as one that does not exist. */
  async get(processId: string): Promise<SandboxProcess> {
    const found = this.#processes.get(processId);
    if (await this.#sees(found)) return found;
    throw new Failure("process_not_found", `There is no process ${processId}`, { processId });
  }

  async list(filter: ProcessFilter): Promise<SandboxProcess[]> {
    const all = this.#processes.list(filter);
    const seen = await Promise.all(all.map((process) => this.#sees(process)));
    return all.filter((_, index) => seen[index]);
  }

  /** What a process is started with, in the directory of its owner where it names none. */
  async owned<Given extends StartOptions>(given: Given): Promise<Given> {
    if (given.owner === undefined) {
      if (!isLimited(this.#grant)) return given;
      throw new Failure("token_limited", "This token is for some sessions or agents: name one of them as the owner");
    }
    const { directory } = await this.#sessions.view(given.owner);
    return { directory, ...given };
  }

  async delete(processId: string): Promise<void> {
    await this.get(processId);
    await this.#processes.delete(processId);
  }

  async #sees({ record: { owner } }: SandboxProcess): Promise<boolean> {
    if (!isLimited(this.#grant)) return true;
    if (owner === undefined) return false;
    return this.#sessions.view(owner).then(
      () => true,
      () => false,
    );
  }
}
