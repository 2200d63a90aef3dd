import { randomBytes } from "node:crypto";
import { copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { Message, rootAgentName } from "@muster/codebuff-protocol";
import { z } from "zod";
import { SdkError } from "../sdk-error.ts";
import type { SessionHeader } from "./entries.ts";
import { exportHtml } from "./export-html.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { checkSessionId, filesFolder, lockSession, sessionFile, sessionsFolder } from "./places.ts";
import { type RestoredAs, type RestoredSession, restoreSession, standingEntries } from "./restore-session.ts";
import { Session } from "./session.ts";
import { type PageOptions, readEntries, readHeader, readPage, type SessionPage } from "./session-reader.ts";
import { type NewSession, SessionWriter } from "./session-writer.ts";
import { readTranscript, titleOf } from "./transcript.ts";

export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly cwd: string;
  readonly mode: string | undefined;
  readonly parent: SessionHeader["parent"];
  readonly created: number;
  readonly updated: number;
  readonly bytes: number;
}

export interface ForkOptions {
  /** The last entry that is copied. */
  readonly upTo?: number;
  readonly id?: string;
  /** Another project whose session it becomes. */
  readonly into?: SessionStore;
}

export type ExportFormat = "markdown" | "json" | "html";

/** The sessions of one project: files that are only ever added to. */
export class SessionStore {
  readonly cwd: string;
  readonly #folder: string;

  constructor({ cwd, home = homedir() }: { cwd: string; home?: string }) {
    this.cwd = cwd;
    this.#folder = sessionsFolder(home, cwd);
  }

  /** A new conversation, ready to be given to `run()`. Throws `session_exists` when the id is taken. */
  async begin(session: Partial<NewSession> = {}): Promise<Session> {
    return new Session(await this.create(session));
  }

  /** An earlier conversation, ready to be continued. Throws `session_not_found` or `session_busy`. */
  async continue(id: string): Promise<Session> {
    return this.continueWith(await this.open(id));
  }

  /** The same for a session that is held already: what was said in it is read only now. */
  async continueWith(writer: SessionWriter): Promise<Session> {
    try {
      return new Session(writer, await this.restore(writer.id));
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  /** Throws `session_exists` when the id is taken. */
  create(session: Partial<NewSession> = {}): Promise<SessionWriter> {
    return SessionWriter.create(this.#folder, { cwd: this.cwd, ...session, id: session.id ?? newSessionId() });
  }

  /** Throws `session_not_found`, or `session_busy` while another process writes. */
  open(id: string): Promise<SessionWriter> {
    return SessionWriter.open(this.#folder, id);
  }

  async exists(id: string): Promise<boolean> {
    return (await stat(sessionFile(this.#folder, id)).catch(() => undefined)) !== undefined;
  }

  /** The newest first. A file whose head cannot be read is left out. */
  async list(): Promise<SessionSummary[]> {
    const ids = await this.#ids();
    const summaries = await Promise.all(ids.map((id) => this.#summary(id).catch(() => undefined)));
    return summaries.filter((one) => one !== undefined).sort((one, other) => other.updated - one.updated);
  }

  /** The session of this project that was written last. */
  async latest(): Promise<string | undefined> {
    const ids = await this.#ids();
    const times = await Promise.all(
      ids.map(async (id) => ({
        id,
        at: (await stat(sessionFile(this.#folder, id)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    return times.sort((one, other) => other.at - one.at)[0]?.id;
  }

  restore(id: string, as?: RestoredAs): Promise<RestoredSession> {
    return restoreSession(this.#folder, id, as);
  }

  /** The last entries, or those before a place, without reading the rest. */
  page(id: string, options: PageOptions): Promise<SessionPage> {
    return readPage(this.#folder, id, options);
  }

  /** A new session with the entries up to and with `upTo`, under their numbers; the files of the project stay as they are. */
  async fork(id: string, { upTo, id: forkId = newSessionId(), into = this }: ForkOptions = {}): Promise<string> {
    const { mode, cwd } = await readHeader(this.#folder, id);
    const entries = (await standingEntries(this.#folder, id)).filter(({ n }) => upTo === undefined || n <= upTo);
    const last = entries.at(-1)?.n ?? 0;
    const place = into === this ? cwd : into.cwd;
    const writer = await into.create({ id: forkId, mode, cwd: place, parent: { id, upTo: upTo ?? last } });
    try {
      await copyFiles(filesFolder(this.#folder, id), filesFolder(into.#folder, forkId));
      for (const entry of entries) await writer.copy(entry);
    } finally {
      await writer.close();
    }
    return forkId;
  }

  /** A new session whose history these messages are. Throws `bad_messages` for what is no list of them. */
  async import(messages: unknown): Promise<string> {
    const read = z.array(Message).min(1).safeParse(messages);
    if (!read.success)
      throw new SdkError("bad_messages", `No messages of a conversation: ${z.prettifyError(read.error)}`);
    const writer = await this.create();
    try {
      await writer.write({ type: "append", agentId: rootAgentName, messages: read.data }, { sync: true });
    } finally {
      await writer.close();
    }
    return writer.id;
  }

  async export(id: string, format: ExportFormat): Promise<string> {
    const transcript = await readTranscript(this.#folder, id);
    switch (format) {
      case "markdown":
        return exportMarkdown(transcript);
      case "html":
        return exportHtml(transcript);
      case "json":
        return `${JSON.stringify(transcript, null, 2)}\n`;
    }
  }

  /** Throws `session_busy` while a process writes it. */
  async delete(id: string): Promise<void> {
    const file = sessionFile(this.#folder, id);
    if (!(await this.exists(id))) throw new SdkError("session_not_found", `No session ${id}`);
    const unlock = await lockSession(this.#folder, id);
    await rm(file, { force: true });
    await rm(filesFolder(this.#folder, id), { recursive: true, force: true });
    await unlock();
  }

  async #ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -".jsonl".length));
  }

  async #summary(id: string): Promise<SessionSummary> {
    const { cwd, mode, parent, created } = await readHeader(this.#folder, id);
    const { mtimeMs, size } = await stat(sessionFile(this.#folder, id));
    return { id, title: await this.#title(id), cwd, mode, parent, created, updated: Math.round(mtimeMs), bytes: size };
  }

  async #title(id: string): Promise<string> {
    let looked = 0;
    for await (const entry of readEntries(this.#folder, id)) {
      const title = "agentId" in entry && "messages" in entry ? titleOf(entry.messages as Message[]) : "";
      if (title !== "" || ++looked === 20) return title;
    }
    return "";
  }
}

export function newSessionId(): string {
  return checkSessionId(`s_${Date.now().toString(36)}${randomBytes(5).toString("hex")}`);
}

async function copyFiles(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  if (names.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of names) await copyFile(join(from, name), join(to, name));
}
