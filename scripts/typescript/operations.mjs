/** The operations table for the TypeScript client, without its schemas: path → text. */
export function typescriptFiles({ operations, command }) {
  const rows = Object.entries(operations).map(([id, operation]) => {
    const { method, path, madeParam, params, query, body, answer } = operation;
    const row = {
      method,
      path,
      ...(madeParam && { madeParam }),
      params: Object.keys(params.shape),
      query: Object.keys(query?.shape ?? {}),
      hasBody: body !== undefined,
      answer,
    };
    return `  ${JSON.stringify(id)}: ${JSON.stringify(row)},\n`;
  });
  const text = `/** Made by ${command}. */
import type { OperationId } from "@muster/schema";
import type { OperationRow } from "../operation-row.ts";

export const operations: Readonly<Record<OperationId, OperationRow>> = {
${rows.join("")}};
`;
  return { "daemon/client/src/generated/operations.ts": text };
}
