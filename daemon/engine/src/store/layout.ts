import { join } from "node:path";
import { sessionFolder } from "./session-folder.ts";

/** Where everything lies in the data directory. */
export function layout(root: string) {
  return {
    root,
    lock: join(root, "lock"),
    /** One folder per session: its file, its log, its attachments. */
    sessions: join(root, "sessions"),
    session: (sessionId: string) => join(root, "sessions", sessionFolder(sessionId)),
    sessionFile: (sessionId: string) => join(root, "sessions", sessionFolder(sessionId), "session.json"),
    attachments: (sessionId: string) => join(root, "sessions", sessionFolder(sessionId), "attachments"),
    /** One file per session that has a life or unsettled messages: all that recovery reads. */
    active: join(root, "active"),
    activeFile: (sessionId: string) => join(root, "active", `${sessionFolder(sessionId)}.json`),
    /** One file per deleted id: a deleted id stays deleted. */
    deleted: join(root, "deleted"),
    deletedFile: (sessionId: string) => join(root, "deleted", sessionFolder(sessionId)),
    /** One file per running process of an agent. */
    lives: join(root, "lives"),
    index: join(root, "sessions.jsonl"),
  };
}
export type Layout = ReturnType<typeof layout>;
