/** A row of the table as far as a request needs it: the schemas stay with the daemon, which checks. */
export interface OperationRow {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** The last parameter of the path, when it may be left out with its slash: the daemon makes one. */
  readonly madeParam?: string;
  readonly params: readonly string[];
  readonly query: readonly string[];
  /** Fields that travel as headers: `ifMatch` is If-Match. */
  readonly headers?: readonly string[];
  readonly hasBody: boolean;
  /** The body is bytes, the field `content`. */
  readonly takesBytes?: boolean;
  readonly answer: "json" | "text" | "sse" | "ui" | "bytes" | "empty";
}
