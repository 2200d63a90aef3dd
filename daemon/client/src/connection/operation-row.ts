/** A row of the table as far as a request needs it: the schemas stay with the daemon, which checks. */
export interface OperationRow {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** The last parameter of the path, when it may be left out with its slash: the daemon makes one. */
  readonly madeParam?: string;
  readonly params: readonly string[];
  readonly query: readonly string[];
  readonly hasBody: boolean;
  readonly answer: "json" | "text" | "sse" | "ui" | "empty";
}
