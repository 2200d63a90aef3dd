import type { OperationId } from "@muster/schema";
import { operations } from "./generated/operations.ts";
import { OperationTable } from "./http/operation-table.ts";

/** The daemon's operations. */
export const operationTable = new OperationTable<OperationId>(
  operations,
  async (id) => (await import("@muster/schema")).operations[id],
);
