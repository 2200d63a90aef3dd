import { z } from "zod";
import { ReadFile } from "./file-tools.ts";
import type { ToolSpecs } from "./tool-spec.ts";

const cwd = z.string().min(1).describe("Directory to search in, relative to the project root");

export const CodeSearchResult = z.object({ stdout: z.string(), stderr: z.string().optional(), message: z.string() });
export type CodeSearchResult = z.infer<typeof CodeSearchResult>;

export const GlobResult = z.object({ files: z.array(z.string()), count: z.int(), message: z.string() });
export type GlobResult = z.infer<typeof GlobResult>;

export const DirectoryListing = z.object({
  files: z.array(z.string()),
  directories: z.array(z.string()),
  path: z.string(),
});
export type DirectoryListing = z.infer<typeof DirectoryListing>;

export const searchTools = {
  code_search: {
    summary: "Search file contents by a regular expression (ripgrep)",
    input: z.object({
      pattern: z.string().min(1),
      flags: z.string().optional().describe('ripgrep flags such as -i, -w, -A 3, -g "*.ts"'),
      cwd: cwd.optional(),
      maxResults: z.int().min(1).default(15).describe("Most hits shown per file"),
    }),
    result: CodeSearchResult,
    clientSide: true,
    forcing: true,
    effect: "reads",
  },
  glob: {
    summary: "List files by a glob pattern, newest first",
    input: z.object({ pattern: z.string().min(1), cwd: cwd.optional() }),
    result: GlobResult,
    clientSide: true,
    forcing: true,
    effect: "reads",
  },
  list_directory: {
    summary: "List the files and directories of one directory",
    input: z.object({ path: z.string().min(1) }),
    result: DirectoryListing,
    clientSide: true,
    forcing: true,
    effect: "reads",
  },
  find_files: {
    summary: "Find and read the files that matter for a task described in words",
    input: z.object({ prompt: z.string().min(1) }),
    result: z.union([z.array(ReadFile), z.object({ message: z.string() })]),
    clientSide: true,
    forcing: true,
    effect: "reads",
  },
  web_search: {
    summary: "Search the web",
    input: z.object({ query: z.string().min(1), depth: z.enum(["standard", "deep"]).default("standard") }),
    result: z.object({ result: z.string() }),
    clientSide: false,
    forcing: true,
    effect: "none",
  },
  read_docs: {
    summary: "Read the documentation of a library",
    input: z.object({
      libraryTitle: z.string().min(1),
      topic: z.string().min(1),
      max_tokens: z
        .int()
        .min(1)
        .transform((tokens) => Math.max(tokens, 10_000))
        .optional(),
    }),
    result: z.object({ documentation: z.string() }),
    clientSide: false,
    forcing: true,
    effect: "none",
  },
  read_url: {
    summary: "Read a public web page as text; addresses of private networks are refused",
    input: z.object({
      url: z.url({ protocol: /^https?$/ }).describe("http or https address"),
      max_tokens: z.int().min(1).default(10_000).describe("Most tokens returned"),
    }),
    result: z.object({
      url: z.string().describe("The address after redirects"),
      title: z.string().optional(),
      contentType: z.string(),
      content: z.string(),
      truncated: z.boolean(),
    }),
    clientSide: false,
    forcing: true,
    effect: "none",
  },
} as const satisfies ToolSpecs;
