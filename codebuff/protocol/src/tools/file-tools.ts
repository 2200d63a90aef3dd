import { z } from "zod";
import type { ToolSpecs } from "./tool-spec.ts";

const path = z.string().min(1).describe("Path relative to the project root");

export const LineRange = z
  .object({ path, startLine: z.int().min(1), endLine: z.int().min(1).optional() })
  .describe("Lines of one file, counted from 1, both ends included");
export type LineRange = z.infer<typeof LineRange>;

/** `content` is the text or one of `fileMarkers`. Images come as media parts after the json part. */
export const ReadFile = z.object({
  path: z.string(),
  content: z.string(),
  referencedBy: z.record(z.string(), z.array(z.string())),
  range: z.object({ startLine: z.int(), endLine: z.int(), totalLines: z.int() }).optional(),
});
export type ReadFile = z.infer<typeof ReadFile>;

/** What stands in the place of a content that cannot be given. */
export const fileMarkers = {
  missing: "[FILE_DOES_NOT_EXIST]",
  blocked: "[BLOCKED]",
  outside: "[FILE_OUTSIDE_PROJECT]",
  tooLarge: "[FILE_TOO_LARGE]",
  unreadable: "[FILE_READ_ERROR]",
  template: "[TEMPLATE]",
  image: "[IMAGE]",
} as const;

/** `matchedBy` is present when the text was not found exactly; `failed` lists the indices of replacements not made. */
export const EditResult = z.object({
  file: z.string(),
  message: z.string(),
  unifiedDiff: z.string(),
  matchedBy: z.enum(["indentation", "whitespace"]).optional(),
  failed: z.array(z.int()).optional(),
});
export type EditResult = z.infer<typeof EditResult>;

export const EditFailure = z.object({ file: z.string(), errorMessage: z.string(), patch: z.string().optional() });
export type EditFailure = z.infer<typeof EditFailure>;

export const Replacement = z.object({
  old: z.string().min(1).describe("Text that stands in the file, with enough lines to be found once"),
  new: z.string().describe("Text that takes its place"),
  allowMultiple: z.boolean().default(false).describe("Replace every occurrence"),
});
export type Replacement = z.infer<typeof Replacement>;

const writeInput = z.object({
  path,
  instructions: z.string().describe("What the change does, in one sentence"),
  content: z.string().describe("The complete new content of the file"),
});
const replaceInput = z.object({ path, replacements: z.array(Replacement).min(1) });
const editResult = z.union([EditResult, EditFailure]);

export const PatchOperation = z.discriminatedUnion("type", [
  z.object({ type: z.literal("create_file"), path, diff: z.string() }),
  z.object({ type: z.literal("update_file"), path, diff: z.string(), newPath: path.optional() }),
  z.object({ type: z.literal("delete_file"), path }),
  z.object({ type: z.literal("rename_file"), path, newPath: path }),
  z.object({
    type: z.literal("patch"),
    patch: z.string().describe("A whole patch over several files: *** Begin Patch … *** End Patch, or a git diff"),
  }),
]);
export type PatchOperation = z.infer<typeof PatchOperation>;

export const PatchResult = z.object({
  message: z.string(),
  applied: z.array(
    z.object({
      file: z.string(),
      action: z.enum(["add", "update", "delete", "rename"]),
      from: z.string().optional(),
      unifiedDiff: z.string(),
    }),
  ),
});
export type PatchResult = z.infer<typeof PatchResult>;

export const SubtreeEntry = z.union([
  z.object({
    path: z.string(),
    type: z.literal("directory"),
    printedTree: z.string(),
    tokenCount: z.int(),
    truncationLevel: z.enum(["none", "unimportant-files", "tokens", "depth-based"]),
  }),
  z.object({ path: z.string(), type: z.literal("file"), variables: z.array(z.string()) }),
  z.object({ path: z.string(), errorMessage: z.string() }),
]);
export type SubtreeEntry = z.infer<typeof SubtreeEntry>;

export const fileTools = {
  read_files: {
    summary: "Read files of the project, whole or by line ranges; images are returned as images",
    input: z.object({ paths: z.array(path).min(1), ranges: z.array(LineRange).optional() }),
    result: z.array(ReadFile),
    clientSide: true,
    forcing: true,
    effect: "reads",
  },
  write_file: {
    summary: "Create a file or replace its whole content",
    input: writeInput,
    result: editResult,
    clientSide: true,
    forcing: true,
    effect: "writes",
  },
  str_replace: {
    summary: "Replace pieces of text in a file, one after the other",
    input: replaceInput,
    result: editResult,
    clientSide: true,
    forcing: true,
    effect: "writes",
  },
  apply_patch: {
    summary: "Create, update, delete or rename files by a patch",
    input: z.object({ operation: PatchOperation }),
    result: PatchResult,
    clientSide: true,
    forcing: true,
    effect: "writes",
  },
  propose_write_file: {
    summary: "Propose a file's whole content without touching the disk",
    input: writeInput,
    result: editResult,
    clientSide: true,
    forcing: true,
    effect: "reads",
  },
  propose_str_replace: {
    summary: "Propose replacements in a file without touching the disk; proposals of one run stack",
    input: replaceInput,
    result: editResult,
    clientSide: true,
    forcing: true,
    effect: "reads",
  },
  create_plan: {
    summary: "Write a plan as a Markdown file",
    input: z.object({ path, plan: z.string() }),
    result: editResult,
    clientSide: true,
    forcing: false,
    effect: "writes",
  },
  read_subtree: {
    summary: "Print directories as a tree with the symbols of each file, within a token budget",
    input: z.object({ paths: z.array(path).optional(), maxTokens: z.int().min(1).default(4000) }),
    result: z.array(SubtreeEntry),
    clientSide: true,
    forcing: true,
    effect: "reads",
  },
} as const satisfies ToolSpecs;
