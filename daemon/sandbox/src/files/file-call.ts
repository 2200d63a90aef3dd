import type { FileChange } from "@muster/schema/wire";
import type { Reach } from "../access/roots.ts";

/** What is asked of files, as plain data: it goes to a process of another user as it stands. */
export interface FileCall {
  readonly operation: FileOperation;
  readonly reach: Reach;
  /** The fields of query and body; paths are told as text or in base64. */
  readonly fields: FileFields;
  readonly headers: FileHeaders;
}

export type FileOperation =
  | "list"
  | "stat"
  | "read"
  | "write"
  | "append"
  | "makeDirectory"
  | "move"
  | "copy"
  | "delete"
  | "download"
  | "upload"
  | "search"
  | "watch";

export interface FileFields {
  readonly path?: string | undefined;
  readonly pathBytes?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly overwrite?: boolean | undefined;
  readonly recursive?: boolean | undefined;
  readonly ignored?: boolean | undefined;
  readonly parents?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly afterBytes?: string | undefined;
  readonly mode?: string | undefined;
  readonly format?: "tar" | "tar.gz" | "zip" | undefined;
  readonly query?: string | undefined;
  readonly regex?: boolean | undefined;
  readonly glob?: string | undefined;
}

export interface FileHeaders {
  readonly range?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly lastEventId?: string | undefined;
}

/** Bytes as they come; whoever stops reading early returns the iterator. */
export type Bytes = AsyncIterable<Uint8Array>;

/** A value, bytes behind a head, or changes that go on. */
export type FileAnswer =
  | {
      readonly kind: "value";
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly value: unknown;
    }
  | {
      readonly kind: "bytes";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly bytes: Bytes;
    }
  | { readonly kind: "changes"; readonly changes: AsyncIterable<FileChange> };

/** The path that a call names: text, bytes, or the directory that relative paths begin in. */
export function pathOf({ path, pathBytes }: Pick<FileFields, "path" | "pathBytes">): Buffer {
  if (pathBytes !== undefined) return Buffer.from(pathBytes, "base64");
  return Buffer.from(path ?? ".");
}
