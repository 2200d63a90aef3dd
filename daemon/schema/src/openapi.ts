import { z } from "zod";
import { accessProblemsOf } from "./access-problems-of.ts";
import { AccessToken, CreatedToken } from "./access-tokens.ts";
import { AgentInfo, CredentialInfo, InstalledAgent, Mode, Model } from "./agents.ts";
import { Item } from "./item.ts";
import { SendMessage, SentMessage, UniversalMessage } from "./messages.ts";
import { pathsOf } from "./operation-paths.ts";
import { type OperationId, operationIds, operations } from "./operations/index.ts";
import type { Operation } from "./operations/operation.ts";
import { Part } from "./parts.ts";
import { Problem } from "./problem.ts";
import { problems } from "./problems/index.ts";
import { PendingRequests } from "./requests.ts";
import { CreatedSession, CreateSession, Session, UpdateSession } from "./session.ts";
import { UniversalEvent } from "./universal-event.ts";

type Json = Record<string, unknown>;

/** The concepts that get a name of their own in generated documents. */
const named = {
  AccessToken,
  CreatedToken,
  AgentInfo,
  CreatedSession,
  CreateSession,
  CredentialInfo,
  InstalledAgent,
  Item,
  Mode,
  Model,
  Part,
  PendingRequests,
  Problem,
  SendMessage,
  SentMessage,
  Session,
  UniversalEvent,
  UniversalMessage,
  UpdateSession,
} as const satisfies Record<string, z.ZodType>;

/** Every named concept as one JSON Schema document. */
export function jsonSchema(): Json {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", $defs: definitions("#/$defs/") };
}

/** The operations table as OpenAPI 3.1. */
export function openApi(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const id of operationIds) {
    const operation: Operation = operations[id];
    for (const path of pathsOf(operation)) {
      const entry = { [operation.method.toLowerCase()]: describe(id, operation, path) };
      paths[path] = Object.assign(paths[path] ?? {}, entry);
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "sandbox-daemon",
      version,
      license: { name: "MIT", identifier: "MIT" },
      description: "One API for every coding agent. Every path is also served under /v1.",
    },
    servers: [
      { url: "http://127.0.0.1:2468", description: "A daemon on this machine, as it starts without options" },
      {
        url: "http://{host}:{port}",
        description: "A daemon elsewhere",
        variables: { host: { default: "127.0.0.1" }, port: { default: "2468" } },
      },
    ],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: definitions("#/components/schemas/"),
    },
  };
}

function describe(id: OperationId, operation: Operation, path: string): Json {
  const { body, query, params } = operation;
  const parameters = [
    ...Object.entries(params.shape)
      .filter(([name]) => path.includes(`{${name}}`))
      .map(([name, schema]) => parameter("path", name, schema as z.ZodType, true)),
    ...Object.entries(query?.shape ?? {}).map(([name, schema]) => parameter("query", name, schema as z.ZodType, false)),
  ];
  return {
    operationId: path === operation.path ? id : `${id}New`,
    summary: operation.summary,
    tags: [id.includes(".") ? id.slice(0, id.indexOf(".")) : "daemon"],
    security: operation.scope === "public" ? [] : undefined,
    "x-scope": operation.scope,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && { required: false, content: { "application/json": { schema: schemaOf(body) } } },
    responses: { [operation.status]: success(operation), ...failures(operation) },
  };
}

const mediaTypes = {
  json: "application/json",
  text: "text/plain; charset=utf-8",
  sse: "text/event-stream",
  ui: "text/event-stream",
} as const;

function success({ answer, contentType, response, summary }: Operation): Json {
  if (answer === "empty") return { description: summary };
  const schema = response ? schemaOf(response) : { type: "string" };
  return { description: summary, content: { [contentType ?? mediaTypes[answer]]: { schema } } };
}

function failures(operation: Operation): Json {
  const all = [
    ...new Set(["invalid_request", ...accessProblemsOf(operation), ...operation.problems, "internal"] as const),
  ];
  const byStatus = new Map<number, string[]>();
  for (const code of all) byStatus.set(problems[code][0], [...(byStatus.get(problems[code][0]) ?? []), code]);
  const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
  return Object.fromEntries([...byStatus].map(([status, list]) => [status, { description: list.join(", "), content }]));
}

function parameter(place: "path" | "query", name: string, schema: z.ZodType, required: boolean): Json {
  const description = schema.description;
  // Everything in a URL is text; what it is read as tells more: `?raw=true` is a boolean.
  return { name, in: place, required, description, schema: convert(schema, "#/components/schemas/", "output") };
}

const names = new Map<unknown, string>(Object.entries(named).map(([name, schema]) => [schema, name]));

function schemaOf(schema: z.ZodType): Json {
  const name = names.get(schema);
  return name ? { $ref: `#/components/schemas/${name}` } : convert(schema, "#/components/schemas/");
}

function definitions(prefix: string): Json {
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, convert(schema, prefix)]));
}

/** A schema as JSON Schema in which every other named concept is a reference. */
function convert(root: z.ZodType, prefix: string, io: "input" | "output" = "input"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(root, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      const name = names.get(zodSchema);
      if (!name || name === names.get(root)) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      jsonSchema.$ref = `${prefix}${name}`;
    },
  }) as Json;
  return json;
}
