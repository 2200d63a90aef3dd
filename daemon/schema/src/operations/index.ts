import type { z } from "zod";
import { agentOperations } from "./agents.ts";
import { controlOperations } from "./control.ts";
import { credentialOperations } from "./credentials.ts";
import { daemonOperations } from "./daemon.ts";
import { eventOperations, sessionEventOperations } from "./events.ts";
import { fileOperations } from "./files.ts";
import { messageOperations } from "./messages.ts";
import { processOperations } from "./processes.ts";
import { requestOperations } from "./requests.ts";
import { sessionOperations } from "./sessions.ts";
import { terminalOperations } from "./terminals.ts";
import { ticketOperations } from "./tickets.ts";
import { timeMachineOperations } from "./time-machine.ts";
import { tokenOperations } from "./tokens.ts";
import { uiOperations } from "./ui.ts";

/**
 * operation id → row. The router, OpenAPI, the CLI and the clients are made from this table, in this order: a subject's
 * rows stand in its file, a new subject is a new file and a line here.
 */
export const operations = {
  ...daemonOperations,
  ...agentOperations,
  ...sessionOperations,
  ...messageOperations,
  ...sessionEventOperations,
  ...requestOperations,
  ...controlOperations,
  ...timeMachineOperations,
  ...eventOperations,
  ...uiOperations,
  ...credentialOperations,
  ...ticketOperations,
  ...tokenOperations,
  ...processOperations,
  ...terminalOperations,
  ...fileOperations,
} as const;

export type OperationId = keyof typeof operations;
export const operationIds = Object.keys(operations) as OperationId[];

type Field<Row, Name extends string, Otherwise> = Row extends { [K in Name]: infer Schema extends z.ZodType }
  ? z.infer<Schema>
  : Otherwise;
export type Params<Id extends OperationId> = Field<(typeof operations)[Id], "params", unknown>;
export type Query<Id extends OperationId> = Field<(typeof operations)[Id], "query", Record<string, never>>;
export type RequestBody<Id extends OperationId> = Field<(typeof operations)[Id], "body", Record<string, never>>;
export type Headers<Id extends OperationId> = Field<(typeof operations)[Id], "headers", Record<string, never>>;
export type Answer<Id extends OperationId> = Field<(typeof operations)[Id], "response", undefined>;
