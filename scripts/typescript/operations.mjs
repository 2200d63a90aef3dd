/** The operations table for the TypeScript client and for the server's router, without its schemas: path → text. */
export function typescriptFiles({ operations, command }) {
  return {
    "daemon/client/src/connection/generated/operations.ts": tableOf(operations, rowOfClient, {
      command,
      types: "../operation-row.ts",
      ids: "../../operation-types.ts",
    }),
    "daemon/server/src/generated/operations.ts": tableOf(operations, rowOfServer, {
      command,
      types: "@muster/http",
      ids: "@muster/schema",
    }),
  };
}

function tableOf(operations, rowOf, { command, types, ids }) {
  const rows = Object.entries(operations).map(
    ([id, operation]) => `  ${JSON.stringify(id)}: ${JSON.stringify(rowOf(operation))},\n`,
  );
  return `/** Made by ${command}. */
import type { OperationId } from "${ids}";
import type { OperationRow } from "${types}";

export const operations: Readonly<Record<OperationId, OperationRow>> = {
${rows.join("")}};
`;
}

function rowOfClient({ method, path, madeParam, params, query, headers, body, takesBytes, answer }) {
  return {
    method,
    path,
    ...(madeParam && { madeParam }),
    params: Object.keys(params.shape),
    query: Object.keys(query?.shape ?? {}),
    ...(headers && { headers: Object.keys(headers.shape) }),
    hasBody: body !== undefined,
    ...(takesBytes && { takesBytes }),
    answer,
  };
}

function rowOfServer({
  method,
  path,
  madeParam,
  params,
  query,
  headers,
  body,
  takesBytes,
  answer,
  status,
  contentType,
  scope,
  wholeDaemon,
}) {
  const hasInput =
    Object.keys(params.shape).length > 0 || query !== undefined || headers !== undefined || body !== undefined;
  return { method, path, madeParam, hasInput, answer, status, contentType, takesBytes, scope, wholeDaemon };
}
