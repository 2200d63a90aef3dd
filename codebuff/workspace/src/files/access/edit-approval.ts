import type { ToolName } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import type { FileAccess, Opened } from "./file-access.ts";
import type { Location } from "./project.ts";

/** The permission of one call that edits: its paths are opened one by one, and a person is asked at most once. */
export class EditApproval {
  readonly #access: FileAccess;
  readonly #tool: ToolName;
  readonly #opened: Opened[] = [];
  #settled = false;

  constructor(access: FileAccess, tool: ToolName) {
    this.#access = access;
    this.#tool = tool;
  }

  /** Throws a plain Error that says why the path is closed. */
  async open(given: string): Promise<Location> {
    const opened = await this.#access.open(this.#tool, given, "write");
    if (!opened.ok) throw new Error(opened.message);
    this.#opened.push(opened);
    return opened.location;
  }

  /** Resolves when the edit may be written; throws what the model is told when it may not. */
  async obtain(diff: string): Promise<void> {
    if (this.#settled) return;
    this.#settled = true;
    const verdict = await this.#access.approve({ tool: this.#tool, opened: this.#opened, diff });
    if (!verdict.ok) throw new Error(verdict.message);
  }

  /** What the model is told about an edit that cannot be made. It may quote a file the model was not allowed to see. */
  async explain(error: unknown): Promise<string> {
    const message = messageOf(error);
    if (this.#settled || this.#opened.every((one) => one.asks === undefined)) return message;
    return this.obtain("").then(
      () => message,
      (denial: Error) => denial.message,
    );
  }
}
