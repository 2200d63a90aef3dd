import type { Operation } from "@muster/schema";

/** A row of the table as far as a request is led and answered by it: no start waits for the schemas. */
export interface OperationRow
  extends Pick<
    Operation,
    "method" | "path" | "madeParam" | "answer" | "status" | "contentType" | "takesBytes" | "scope" | "wholeDaemon"
  > {
  /** There are parameters, a query or a body to check. */
  readonly hasInput: boolean;
}
