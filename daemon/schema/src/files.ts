import { z } from "zod";
import { Time } from "./ids.ts";

export const FileEntry = z
  .object({
    path: z
      .string()
      .describe("Relative to directory in a list, else absolute; bytes that are no UTF-8 stand as U+FFFD in it"),
    pathBytes: z.string().optional().describe("The path in base64, where it is no UTF-8"),
    type: z
      .enum(["file", "directory", "link", "other"])
      .describe("other: a pipe, a socket or a device, which is named and never opened"),
    size: z.int().nonnegative().describe("In bytes"),
    mode: z.string().describe("The permissions in octal, such as 644"),
    modifiedAt: Time.describe("When its content was changed last, in UTC"),
    target: z.string().optional().describe("Where a link points"),
    etag: z.string().optional().describe("Of a file: another one whenever its content is another"),
  })
  .describe("A file, a directory or a link");
export type FileEntry = z.infer<typeof FileEntry>;

export const WrittenFile = z
  .object({
    path: z.string().describe("Absolute, with links resolved"),
    created: z.boolean().describe("There was none before"),
    size: z.int().nonnegative().describe("In bytes, now"),
    etag: z.string().describe("Of the content as it is now"),
  })
  .describe("A file that was written");
export type WrittenFile = z.infer<typeof WrittenFile>;

export const FileMatch = z
  .object({
    path: z.string().describe("Relative to directory"),
    line: z.int().positive().describe("Counted from 1"),
    column: z.int().positive().describe("In bytes, counted from 1"),
    text: z.string().describe("The line, cut after 500 characters"),
  })
  .describe("A line in which it was found");
export type FileMatch = z.infer<typeof FileMatch>;

export const UploadedTree = z
  .object({
    path: z.string().describe("Absolute: where the tree lies"),
    files: z.int().nonnegative().describe("How many files came"),
    directories: z.int().nonnegative().describe("How many directories came"),
    links: z.int().nonnegative().describe("How many links came"),
    bytes: z.int().nonnegative().describe("How much the files hold together"),
  })
  .describe("A tree that was unpacked");
export type UploadedTree = z.infer<typeof UploadedTree>;

export const FileChange = z
  .object({
    number: z.int().positive().describe("Counts from 1 in a stream, and goes on where a stream is taken up again"),
    type: z
      .enum(["watching", "created", "changed", "removed", "overflow"])
      .describe("watching: from here on nothing is missed; overflow: something was, so look again at all of it"),
    path: z.string().optional().describe("Relative to the watched directory; nothing for the directory as a whole"),
    pathBytes: z.string().optional().describe("The path in base64, where it is no UTF-8"),
    kind: z.enum(["file", "directory", "link", "other"]).optional().describe("What it is now"),
  })
  .describe("A change below a watched directory");
export type FileChange = z.infer<typeof FileChange>;
