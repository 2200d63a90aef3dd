import { fileMarkers, type ToolCall, type ToolCallResult } from "@muster/codebuff-protocol";
import { z } from "zod";

export type FileFilterResult = { status: "blocked" | "allow-example" | "allow" };
export type FileFilter = (filePath: string) => FileFilterResult;

const Reading = z.looseObject({ paths: z.array(z.string()) });
const Files = z.array(z.looseObject({ path: z.string(), content: z.string() }));

/** With a filter the embedding program owns what may be read: blocked files are never opened. */
export function withoutBlocked(call: ToolCall, filter: FileFilter): ToolCall {
  const read = Reading.safeParse(call.input);
  if (call.toolName !== "read_files" || !read.success) return call;
  const paths = read.data.paths.filter((path) => filter(path).status !== "blocked");
  return { ...call, input: { ...call.input, paths } };
}

/** Puts the markers of blocked files and templates into the result of the call as it was made. */
export function withMarkers(call: ToolCall, result: ToolCallResult, filter: FileFilter): ToolCallResult {
  const read = Reading.safeParse(call.input);
  const [first, ...rest] = result.output;
  const files = first?.type === "json" ? Files.safeParse(first.value) : undefined;
  if (call.toolName !== "read_files" || !read.success || files?.success !== true) return result;
  const found = new Map(files.data.map((file) => [file.path, file]));
  const value = [...new Set(read.data.paths)].map((path) => {
    const { status } = filter(path);
    const file = found.get(path);
    if (status === "blocked") return { path, content: fileMarkers.blocked, referencedBy: {} };
    if (file === undefined) return { path, content: fileMarkers.missing, referencedBy: {} };
    const isMarked = status !== "allow-example" || file.content.startsWith(fileMarkers.template);
    return isMarked ? file : { ...file, content: `${fileMarkers.template}\n${file.content}` };
  });
  return { ...result, output: [{ type: "json", value: value as never }, ...rest] };
}
