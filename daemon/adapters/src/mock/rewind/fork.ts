import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenOptions } from "../../adapter.ts";
import { type ForkedConversation, ForkFailure, type ForkPoint } from "../../fork-point.ts";
import { type AgentHost, agentFolder } from "../../host.ts";

/** A file of its own with as many prompts as stay. */
export async function forkMock(host: AgentHost, _: OpenOptions, at: ForkPoint): Promise<ForkedConversation> {
  const folder = await agentFolder(host, "mock");
  const fileOf = (conversation: string) => join(folder, `${encodeURIComponent(conversation)}.jsonl`);
  const prompts = await readFile(fileOf(at.nativeSessionId), "utf8").catch(() => undefined);
  const lines = prompts?.split("\n").filter(Boolean);
  if (lines === undefined) throw new ForkFailure(`The mock does not know the conversation ${at.nativeSessionId}`);
  if (at.keep === undefined && !at.isWhole) throw new ForkFailure("The mock has not told where that turn ended");
  const kept = at.keep === undefined ? lines : lines.slice(0, Number(at.keep));
  const nativeSessionId = `mock_${randomBytes(8).toString("hex")}`;
  await writeFile(fileOf(nativeSessionId), kept.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  return { nativeSessionId };
}
