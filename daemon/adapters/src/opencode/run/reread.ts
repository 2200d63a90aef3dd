import { isRecord } from "@muster/core";
import type { OpencodeHttp } from "./http.ts";

interface Info {
  id: string;
  parentID?: string;
}

/** Everything of a session and its sub-agents as lines for its converter, in an order in which each is understood. */
export async function rereadLines(
  http: OpencodeHttp,
  session: string,
  directory: string,
): Promise<{ lines: string[]; wasIdle: boolean }> {
  const list = async (path: string): Promise<Record<string, unknown>[]> => {
    const body = await http.get(path, directory);
    return Array.isArray(body) ? body.filter(isRecord) : [];
  };
  // The status first: when it says idle, everything that is read after it is complete.
  const status = await statusOf(http, session, directory);
  const children = await descendants(list, session);
  const ids = new Set([session, ...children.map(({ id }) => id)]);
  const isOurs = ({ sessionID }: Record<string, unknown>) => typeof sessionID === "string" && ids.has(sessionID);
  const messages: Record<string, unknown>[] = [];
  for (const id of ids) messages.push(...(await list(`/session/${id}/message`)));
  const permissions = (await list("/permission")).filter(isOurs);
  const questions = (await list("/question")).filter(isOurs);
  const properties = { sessionID: session, status, children, messages, permissions, questions };
  const lines = [
    ...children.map((info) => JSON.stringify({ type: "session.created", properties: { info } })),
    JSON.stringify({ type: "daemon.reread", properties }),
  ];
  return { lines, wasIdle: status.type === "idle" };
}

/** Only sessions that are not idle are listed. */
async function statusOf(http: OpencodeHttp, session: string, directory: string): Promise<Record<string, unknown>> {
  const statuses = await http.get("/session/status", directory);
  const status = isRecord(statuses) ? statuses[session] : undefined;
  return isRecord(status) ? status : { type: "idle" };
}

export async function isIdle(http: OpencodeHttp, session: string, directory: string): Promise<boolean> {
  return (await statusOf(http, session, directory)).type === "idle";
}

export async function descendants(
  list: (path: string) => Promise<Record<string, unknown>[]>,
  session: string,
): Promise<Info[]> {
  const found: Info[] = [];
  for (const child of await list(`/session/${session}/children`)) {
    if (typeof child.id !== "string") continue;
    found.push({ id: child.id, parentID: session }, ...(await descendants(list, child.id)));
  }
  return found;
}
