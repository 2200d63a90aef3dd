import { join } from "node:path";
import { sessionFolder } from "./session-folder.ts";

/** Where everything lies in the data directory. */
export function layout(root: string) {
  return {
    root,
    /** The lock where the kernel can hold none. */
    lock: join(root, "lock"),
    /** The socket of the daemon that writes here, and its number. */
    writer: join(root, "writer"),
    /** One folder per session: its file, its log, its attachments. */
    sessions: join(root, "sessions"),
    session: (sessionId: string) => join(root, "sessions", sessionFolder(sessionId)),
    sessionFile: (sessionId: string) => join(root, "sessions", sessionFolder(sessionId), "session.json"),
    attachments: (sessionId: string) => join(root, "sessions", sessionFolder(sessionId), "attachments"),
    /** One file per session that has a life or unsettled messages: all that recovery reads. */
    active: join(root, "active"),
    /** The session file an active file speaks of: its name tells, whatever is in it. */
    fileOfActive: (name: string) => join(root, "sessions", name.replace(/\.json$/, ""), "session.json"),
    activeFile: (sessionId: string) => join(root, "active", `${sessionFolder(sessionId)}.json`),
    /** Where folders of forks are made before they are put among the sessions. */
    forks: join(root, "forks"),
    /** One file per deleted id: a deleted id stays deleted. */
    deleted: join(root, "deleted"),
    deletedFile: (sessionId: string) => join(root, "deleted", sessionFolder(sessionId)),
    /** One file per running process of an agent. */
    lives: join(root, "lives"),
    index: join(root, "sessions.jsonl"),
  };
}
export type Layout = ReturnType<typeof layout>;
