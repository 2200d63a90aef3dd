import { OperationTable } from "@muster/http";
import type { OperationId } from "@muster/schema";
import { operations } from "./generated/operations.ts";

/** The daemon's operations. */
export const operationTable = new OperationTable<OperationId>(
  operations,
  async (id) => (await import("@muster/schema")).operations[id],
);
