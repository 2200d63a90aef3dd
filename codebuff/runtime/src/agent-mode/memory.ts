import type { AgentModeCall } from "@muster/codebuff-protocol";
import { shorten } from "../context/shorten.ts";

/** Notes of earlier tasks in the project's files. */
export interface Memory {
  /** The text of the index file, undefined when there is none. */
  readIndex(): Promise<string | undefined>;
  /** Names of the files in the memory's folder. */
  names(): Promise<readonly string[]>;
}

export const memoryFolder = ".codebuff/memory";
export const memoryIndex = "index.md";
const bytesPerFile = 32 * 1024;
const charactersInPrompt = 8 * 1024;

/** What the agent is told of its memory at the start of a task: the index in full, the other files by name. */
export async function memorySection(memory: Memory | undefined): Promise<string> {
  const how = `Notes for later tasks are Markdown files in ${memoryFolder}, at most ${bytesPerFile / 1024} KiB each; keep ${memoryFolder}/${memoryIndex} as their index and write them with the file tools.`;
  if (memory === undefined) return how;
  const index = await memory.readIndex();
  const others = (await memory.names()).filter((name) => name !== memoryIndex);
  const parts = [
    how,
    ...(index === undefined ? [] : [`${memoryIndex}:\n${index}`]),
    ...(others.length === 0 ? [] : [`Other notes: ${others.join(", ")}`]),
  ];
  return shorten(parts.join("\n"), charactersInPrompt);
}

/** Why a call may not write to the memory, or undefined when it may. */
export function memoryFault({ params }: Pick<AgentModeCall, "params">): string | undefined {
  const { path, content } = params;
  if (typeof path !== "string" || typeof content !== "string") return undefined;
  const isMemory = path.replace(/^\.\//, "").startsWith(`${memoryFolder}/`);
  const bytes = new TextEncoder().encode(content).length;
  if (!isMemory || bytes <= bytesPerFile) return undefined;
  return `A memory file may have at most ${bytesPerFile} bytes, this one has ${bytes}: shorten it or split it`;
}
