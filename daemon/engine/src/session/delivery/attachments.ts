import { randomBytes } from "node:crypto";
import { chmod, chown, readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import type { AgentUser } from "@muster/adapters";
import { type Attachment, type AttachmentInfo, Failure } from "@muster/schema/wire";
import { makeFolder, writeDurably } from "../../store/durable-file.ts";

/** Brings attachments to files the agent can read: content that came with the request is written to the session's folder. */
export async function storeAttachments(
  folder: string,
  attachments: readonly Attachment[],
  user?: AgentUser,
): Promise<AttachmentInfo[]> {
  for (const { path } of attachments) if (path !== undefined) await checkFile(path);
  const stored: AttachmentInfo[] = [];
  for (const [index, { path, data, mime, filename }] of attachments.entries()) {
    if (path !== undefined) {
      stored.push({ path, mime, filename });
      continue;
    }
    await makeFolder(folder);
    if (user) for (const path of [dirname(folder), folder]) await chmod(path, 0o711);
    // Nobody can list the folder or guess the name: agents of other sessions are the same user.
    const file = join(folder, `${randomBytes(16).toString("hex")}-${index + 1}`);
    await writeDurably(file, Buffer.from(data ?? "", "base64"));
    if (user) await chown(file, user.uid, user.gid);
    stored.push({ path: file, mime, filename });
  }
  return stored;
}

/** The content of one that was stored here: nobody but the daemon can put a file into this folder. */
export async function readAttachment(folder: string, name: string): Promise<Buffer> {
  const isOurs = /^[0-9a-f]{32}-\d+$/.test(name);
  const content = isOurs ? await readFile(join(folder, name)).catch(unlessMissing) : undefined;
  if (content !== undefined) return content;
  throw new Failure("attachment_not_found", `No attachment ${name} was sent in this session`, { attachment: name });
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function checkFile(path: string): Promise<void> {
  if (!isAbsolute(path)) throw new Failure("invalid_request", `The attachment path ${path} is not absolute`);
  // What cannot be looked at cannot be attached: both get the same answer.
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new Failure("invalid_request", `The attachment ${path} is not a file on this machine`);
}
