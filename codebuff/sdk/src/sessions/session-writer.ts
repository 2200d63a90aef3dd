import { type FileHandle, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { linesBackward } from "@muster/node";
import { SdkError } from "../sdk-error.ts";
import { detachBytes } from "./attached-bytes.ts";
import { parseEntry, type SessionEntry, type SessionEntryBody, type SessionHeader } from "./entries.ts";
import { filesFolder, lockSession, sessionFile } from "./places.ts";

export interface NewSession {
  readonly id: string;
  readonly cwd: string;
  readonly mode?: string;
  readonly parent?: { readonly id: string; readonly upTo: number };
}

/**
 * The one pen of a session file. A line is in the file when `write` resolves, so a killed process loses nothing that was
 * acknowledged; `sync` makes it survive a power loss too.
 */
export class SessionWriter {
  readonly id: string;
  readonly #file: FileHandle;
  readonly #files: string;
  readonly #unlock: () => Promise<void>;
  #next: number;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor(parts: {
    id: string;
    file: FileHandle;
    files: string;
    unlock: () => Promise<void>;
    next: number;
  }) {
    this.id = parts.id;
    this.#file = parts.file;
    this.#files = parts.files;
    this.#unlock = parts.unlock;
    this.#next = parts.next;
  }

  static async create(folder: string, session: NewSession): Promise<SessionWriter> {
    const path = sessionFile(folder, session.id);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const unlock = await lockSession(folder, session.id);
    try {
      const file = await open(path, "ax", 0o600).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") throw new SdkError("session_exists", `There is already a session ${session.id}`);
        throw error;
      });
      const { id, cwd, mode, parent } = session;
      const header: SessionHeader = { type: "header", version: 1, id, cwd, created: Date.now(), mode, parent };
      await file.appendFile(`${JSON.stringify(header)}\n`);
      return new SessionWriter({ id, file, files: filesFolder(folder, id), unlock, next: 1 });
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** Cuts off a line that a crash left unfinished and goes on after the last whole one. */
  static async open(folder: string, id: string): Promise<SessionWriter> {
    const path = sessionFile(folder, id);
    if (!(await stat(path).catch(() => undefined))) throw new SdkError("session_not_found", `No session ${id}`);
    const unlock = await lockSession(folder, id);
    try {
      const file = await open(path, "r+", 0o600);
      const next = await cutTornTail(file);
      await file.close();
      return new SessionWriter({ id, file: await open(path, "a"), files: filesFolder(folder, id), unlock, next });
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** The number of the newest entry; 0 before the first. */
  get last(): number {
    return this.#next - 1;
  }

  /** An entry of another session, under its own number: places named there hold here too. */
  async copy({ n, at, ...body }: SessionEntry): Promise<void> {
    await this.#file.appendFile(`${JSON.stringify({ n, at, ...body })}\n`);
    this.#next = n + 1;
  }

  /** Resolves with the number of the entry. */
  write(body: SessionEntryBody, { sync = false } = {}): Promise<number> {
    const written = this.#queue.then(async () => {
      if (this.#isClosed) throw new SdkError("session_closed", `Session ${this.id} is closed`);
      const hasMessages = body.type === "append" || body.type === "replace" || body.type === "edit";
      const kept = hasMessages ? { ...body, messages: await detachBytes(body.messages, this.#files) } : body;
      const n = this.#next++;
      await this.#file.appendFile(`${JSON.stringify({ n, at: Date.now(), ...kept })}\n`);
      if (sync) await this.#file.datasync();
      return n;
    });
    this.#queue = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    await this.#queue;
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#file.close();
    await this.#unlock();
  }
}

/** The number of the next entry. */
async function cutTornTail(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  let end = 0;
  let next = 1;
  for await (const { offset, text } of linesBackward(file)) {
    end = Math.max(end, offset + Buffer.byteLength(text) + 1);
    const entry = parseEntry(text);
    if (entry === undefined) continue;
    next = entry.n + 1;
    break;
  }
  if (end < size) await file.truncate(end);
  return next;
}
