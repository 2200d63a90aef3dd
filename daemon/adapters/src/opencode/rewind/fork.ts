import { isRecord } from "@muster/core";
import type { TurnPlace } from "@muster/schema";
import type { OpenOptions } from "../../adapter.ts";
import { type ForkedConversation, ForkFailure, type ForkPoint } from "../../fork-point.ts";
import type { AgentHost } from "../../host.ts";
import { importMessages } from "../history/import.ts";
import { type OpencodeHttp, problemOf } from "../run/http.ts";
import { leaseServer } from "../run/lease-server.ts";

type Message = Record<string, unknown> & { info: Record<string, unknown> };

/** `fork` copies everything before a message, under new ids; into another directory it goes by export and import (1.18.33). */
export async function forkOpencode(host: AgentHost, options: OpenOptions, at: ForkPoint): Promise<ForkedConversation> {
  const { lease } = await leaseServer(host, { ...options, directory: at.directory });
  try {
    const { http } = lease.server;
    const messages = await messagesOf(http, at.nativeSessionId, at.directory);
    const kept = messagesBefore(messages, at);
    if (options.directory !== at.directory) {
      const messages = kept.map(({ info, parts }) => ({
        info,
        parts: Array.isArray(parts) ? parts.filter(isRecord) : [],
      }));
      const { nativeSessionId, ids } = await importMessages(host, options, messages);
      return { nativeSessionId, places: at.places.map((place) => renamed(place, ids)) };
    }
    const next = messages[kept.length];
    const body = next === undefined ? {} : { messageID: next.info.id };
    const path = `/session/${at.nativeSessionId}/fork`;
    const answer = await http.ask({ method: "POST", path, directory: at.directory, body });
    if (answer.status !== 200 || !isRecord(answer.body) || typeof answer.body.id !== "string") {
      throw new ForkFailure(`OpenCode did not fork the session (${answer.status}): ${problemOf(answer.body)}`);
    }
    const nativeSessionId = answer.body.id;
    const copies = await messagesOf(http, nativeSessionId, at.directory);
    const ids = new Map(kept.map(({ info }, index) => [String(info.id), String(copies[index]?.info.id)]));
    return { nativeSessionId, places: at.places.map((place) => renamed(place, ids)) };
  } finally {
    await lease.release();
  }
}

async function messagesOf(http: OpencodeHttp, id: string, directory: string): Promise<Message[]> {
  const { status, body } = await http.ask({ path: `/session/${id}/message`, directory });
  if (status !== 200) throw new ForkFailure(`OpenCode does not know the session ${id}: ${problemOf(body)}`);
  const isMessage = (one: unknown): one is Message => isRecord(one) && isRecord(one.info);
  return Array.isArray(body) ? body.filter(isMessage) : [];
}

function messagesBefore(messages: readonly Message[], { drop, keep, isWhole }: ForkPoint): readonly Message[] {
  if (isWhole) return messages;
  const kept = messages.findIndex(({ info }) => info.id === keep);
  if (kept >= 0) return messages.slice(0, kept + 1);
  const gone = messages.findIndex(({ info }) => info.id === drop);
  if (gone < 0) throw new ForkFailure("OpenCode does not know the place any more");
  return messages.slice(0, gone);
}

function renamed({ first = "", last = "" }: TurnPlace, ids: ReadonlyMap<string, string>): TurnPlace {
  return { first: ids.get(first), last: ids.get(last) };
}
