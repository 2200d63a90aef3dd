import { z } from "zod";
import { FileChange, FileEntry, FileMatch, UploadedTree, WrittenFile } from "../files.ts";
import { SessionId } from "../ids.ts";
import type { Operation } from "./operation.ts";
import { empty, Flag, inSession, json, none, sse } from "./row-parts.ts";

const inDirectory = SessionId.optional().describe(
  "Paths are relative to the directory of this session, and nothing else is reached",
);
const place = {
  session: inDirectory,
  path: z.string().optional().describe("Absolute, or relative to the session's directory, which it is without a path"),
  pathBytes: z.base64().optional().describe("The path in base64, for names that are no UTF-8; in place of path"),
};
const ignored = Flag.optional().describe("false leaves out what .gitignore files name, and .git");
const limit = (most: number, usual: number) =>
  z.coerce.number().int().min(1).max(most).optional().describe(`How many; ${usual} by default`);
const pair = z.object({
  session: inDirectory,
  from: z.string().min(1).describe("What there is: absolute, or relative to the session's directory"),
  to: z.string().min(1).describe("What it is to be: the new path itself, not the directory it goes to"),
  overwrite: z.boolean().optional().describe("Whether a file that is there may be replaced; false by default"),
});
const ifMatch = z.string().optional().describe("Only if the file has this ETag, or with * if there is a file");
const ifNoneMatch = z.string().optional();

/** Problems of every row that names a path. */
const atPath = [...inSession, "files_off", "path_outside_roots", "file_denied", "files_unavailable"] as const;
const atFile = [...atPath, "file_not_found", "not_a_directory"] as const;

/** The files of the machine, under the allowed roots. */
export const fileOperations = {
  "files.list": {
    method: "GET",
    path: "/files",
    summary: "What a directory holds",
    description:
      "In the order of the bytes of the names, a directory before what is in it. In pages: give the path of the last entry as after for the next.",
    params: none,
    query: z.object({
      ...place,
      recursive: Flag.optional().describe("With everything below it; links are told and not followed"),
      ignored,
      limit: limit(10_000, 1000),
      after: z.string().optional().describe("The path of the last entry of the page before"),
      afterBytes: z.base64().optional().describe("The same in base64, where that is no UTF-8"),
    }),
    ...json,
    response: z.object({
      directory: z.string().describe("Absolute, with links resolved"),
      entries: z.array(FileEntry).describe("One page of them"),
      hasMore: z.boolean().describe("Whether another page follows"),
    }),
    cli: ["files", "list"],
    scope: "read",
    problems: atFile,
  },
  "files.stat": {
    method: "GET",
    path: "/files/stat",
    summary: "What a path names",
    description: "Of a link itself, not of what it points to.",
    params: none,
    query: z.object(place),
    ...json,
    response: FileEntry,
    cli: ["files", "stat"],
    scope: "read",
    problems: atFile,
  },
  "files.read": {
    method: "GET",
    path: "/files/content",
    summary: "The bytes of a file",
    description: "With Range one part of them; with If-None-Match nothing (304) where they are those of that ETag.",
    params: none,
    query: z.object(place),
    headers: z.object({
      range: z.string().optional().describe("One range of bytes, such as bytes=0-99 or bytes=-100"),
      ifNoneMatch: ifNoneMatch.describe("Only if the file has another ETag than these"),
    }),
    answer: "bytes",
    status: 200,
    cli: ["files", "read"],
    scope: "read",
    problems: [...atFile, "not_a_file", "range_not_satisfiable"],
  },
  "files.write": {
    method: "PUT",
    path: "/files/content",
    summary: "Writes a file, whole or not at all",
    description:
      "Readers see the old content or the new one. With If-Match it is written only over what the caller has seen, with If-None-Match: * only where nothing is. The answer is 201 for a new file and has its ETag.",
    params: none,
    query: z.object({
      ...place,
      mode: z
        .string()
        .regex(/^0?[0-7]{3}$/, "must be three octal digits")
        .optional()
        .describe("Its permissions in octal; those it had, or 644, by default"),
      parents: Flag.optional().describe("Makes the directories above it that are missing"),
    }),
    headers: z.object({ ifMatch, ifNoneMatch: ifNoneMatch.describe("* writes only where there is no file") }),
    takesBytes: true,
    ...json,
    response: WrittenFile,
    cli: ["files", "write"],
    scope: "work",
    problems: [...atFile, "file_exists", "not_a_file", "precondition_failed", "disk_full"],
  },
  "files.append": {
    method: "POST",
    path: "/files/content",
    summary: "Adds bytes to the end of a file",
    description: "In one piece of at most 32 MiB. A file that is not there is made.",
    params: none,
    query: z.object(place),
    takesBytes: true,
    ...json,
    response: WrittenFile,
    cli: ["files", "append"],
    scope: "work",
    problems: [...atFile, "not_a_file", "body_too_large", "disk_full"],
  },
  "files.makeDirectory": {
    method: "POST",
    path: "/files/directories",
    summary: "Makes a directory",
    description: "One that is there already is refused, but with parents it is as good as one that is made.",
    params: none,
    body: z.object({
      session: inDirectory,
      path: z.string().min(1).describe("Absolute, or relative to the session's directory"),
      parents: z.boolean().optional().describe("Makes those above it that are missing"),
    }),
    answer: "json",
    status: 201,
    response: FileEntry,
    cli: ["files", "make-directory"],
    scope: "work",
    problems: [...atFile, "file_exists", "disk_full"],
  },
  "files.move": {
    method: "POST",
    path: "/files/move",
    summary: "Moves or renames a file or directory",
    description: "In one step, on the same disk. A link is moved itself.",
    params: none,
    body: pair,
    ...json,
    response: FileEntry,
    cli: ["files", "move"],
    scope: "work",
    problems: [...atFile, "file_exists", "directory_not_empty", "disk_full"],
  },
  "files.copy": {
    method: "POST",
    path: "/files/copy",
    summary: "Copies a file or directory",
    description:
      "A directory with everything in it, links as links; pipes, sockets and devices are left out. What is there is replaced only as a file by a file.",
    params: none,
    body: pair,
    ...json,
    response: FileEntry,
    cli: ["files", "copy"],
    scope: "work",
    problems: [...atFile, "file_exists", "not_a_file", "disk_full"],
  },
  "files.delete": {
    method: "DELETE",
    path: "/files",
    summary: "Deletes a file, a link or a directory",
    description: "A directory that holds something only with recursive. Of a link the link, not what it points to.",
    params: none,
    query: z.object({ ...place, recursive: Flag.optional().describe("With everything in it") }),
    ...empty,
    cli: ["files", "delete"],
    scope: "work",
    problems: [...atFile, "directory_not_empty"],
  },
  "files.download": {
    method: "GET",
    path: "/files/tree",
    summary: "A directory as one archive",
    description: "Streamed while it is read. Links are links in it; pipes, sockets and devices are left out.",
    params: none,
    query: z.object({
      ...place,
      format: z.enum(["tar", "tar.gz", "zip"]).optional().describe("tar by default"),
      ignored,
    }),
    answer: "bytes",
    status: 200,
    cli: ["files", "download"],
    cliNames: { format: "archive" },
    scope: "read",
    problems: atFile,
  },
  "files.upload": {
    method: "PUT",
    path: "/files/tree",
    summary: "Unpacks an archive into a directory",
    description:
      "Put in place when all of it has come and is sound: an archive that is refused changes nothing. What is there stays beside it, files of the same name are replaced. Refused are names and links that lead out, hard links to what is not in it, and everything that is no file, directory or link.",
    params: none,
    query: z.object({
      ...place,
      format: z.enum(["tar", "tar.gz"]).optional().describe("tar by default"),
    }),
    takesBytes: true,
    ...json,
    response: UploadedTree,
    cli: ["files", "upload"],
    cliNames: { format: "archive" },
    scope: "work",
    problems: [...atFile, "file_exists", "archive_refused", "body_too_large", "disk_full"],
  },
  "files.search": {
    method: "GET",
    path: "/files/search",
    summary: "The lines of files that hold a text",
    description:
      "Files that hold a zero byte in their first 8 KiB are taken for no text and left out, and so is what .gitignore names.",
    params: none,
    query: z.object({
      ...place,
      query: z.string().min(1).max(1000).describe("The text, as it stands"),
      regex: Flag.optional().describe("It is a regular expression; needs ripgrep on the machine"),
      glob: z.string().max(1000).optional().describe("Only files with such a path, such as *.ts or src/**/*.md"),
      ignored: Flag.optional().describe("true looks also into what .gitignore files name"),
      limit: limit(10_000, 200),
    }),
    ...json,
    response: z.object({
      directory: z.string().describe("Absolute, with links resolved"),
      matches: z.array(FileMatch).describe("In the order of the paths"),
      hasMore: z.boolean().describe("Whether there are more than were wanted"),
    }),
    cli: ["files", "search"],
    scope: "read",
    problems: atFile,
  },
  "files.watch": {
    method: "GET",
    path: "/files/watch",
    summary: "What changes below a directory",
    description:
      "Server-sent events, numbered. The first is watching; a stream that is taken up again begins with overflow, because what happened between is not known.",
    params: none,
    query: z.object({ ...place, ignored }),
    ...sse,
    response: FileChange,
    cli: ["files", "watch"],
    scope: "read",
    problems: atFile,
  },
} as const satisfies Record<string, Operation>;
