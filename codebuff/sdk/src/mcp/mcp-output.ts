import { errorOutput, type ToolOutput, type ToolOutputPart } from "@muster/codebuff-protocol";
import { z } from "zod";

/** A model has no use for more of one answer. */
const longestText = 200_000;

const Part = z.union([
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
  z.looseObject({
    type: z.literal("resource"),
    resource: z.looseObject({
      uri: z.string(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  }),
  z.looseObject({ type: z.string() }),
]);

export const McpResult = z.looseObject({
  content: z.array(Part).default([]),
  structuredContent: z.json().optional(),
  isError: z.boolean().optional(),
});
type McpResult = z.infer<typeof McpResult>;

/** Text becomes a json part, pictures and sounds become media; an error is a value as with every tool. */
export function mcpOutput({ content, structuredContent, isError }: McpResult): ToolOutput {
  if (isError === true) return errorOutput(shorten(content.map(textOf).join("\n")) || "The tool reported an error");
  const parts = content.map(partOf);
  if (parts.length > 0) return parts;
  return [{ type: "json", value: structuredContent ?? "" }];
}

function partOf(part: z.infer<typeof Part>): ToolOutputPart {
  if ("data" in part && "mimeType" in part) {
    return { type: "media", data: String(part.data), mediaType: String(part.mimeType) };
  }
  if ("resource" in part) {
    const { blob, mimeType = "application/octet-stream" } = part.resource as { blob?: string; mimeType?: string };
    if (blob !== undefined) return { type: "media", data: blob, mediaType: mimeType };
  }
  return { type: "json", value: shorten(textOf(part)) };
}

function textOf(part: z.infer<typeof Part>): string {
  if ("text" in part) return String(part.text);
  if ("resource" in part) {
    const { text, uri } = part.resource as { text?: string; uri?: string };
    return text ?? uri ?? "";
  }
  return JSON.stringify(part);
}

function shorten(text: string): string {
  if (text.length <= longestText) return text;
  const half = longestText / 2;
  return `${text.slice(0, half)}\n[… ${text.length - longestText} characters left out …]\n${text.slice(-half)}`;
}
