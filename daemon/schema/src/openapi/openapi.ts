import type { z } from "zod";
import { pathsOf } from "../operation-paths.ts";
import { accessProblemsOf } from "../operations/access-problems-of.ts";
import { headerOf } from "../operations/header-of.ts";
import { type OperationId, operationIds, operations } from "../operations/index.ts";
import type { Operation } from "../operations/operation.ts";
import type { ProblemCode } from "../problem.ts";
import { problems } from "../problems/index.ts";
import { addMappings } from "./discriminators.ts";
import { convertSchema, definitionsOf, type Json, referenceOf } from "./json-schema.ts";
import { tagOf, tags } from "./tags.ts";

const prefix = "#/components/schemas/";
const repository = "https://github.com/muster-dev/muster";

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
      contact: { name: "Muster", url: repository },
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
    tags,
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "The daemon's token, or an access token made with tokens.create",
        },
      },
      schemas: addMappings(definitionsOf(prefix), prefix),
    },
  };
}

function describe(id: OperationId, operation: Operation, path: string): Json {
  const { body, query, headers, params, takesBytes } = operation;
  const parameters = [
    ...Object.entries(params.shape)
      .filter(([name]) => path.includes(`{${name}}`))
      .map(([name, schema]) => parameter("path", name, schema as z.ZodType, true)),
    ...Object.entries(query?.shape ?? {}).map(([name, schema]) =>
      parameter("query", name, schema as z.ZodType, !(schema as z.ZodType).safeParse(undefined).success),
    ),
    ...Object.entries(headers?.shape ?? {}).map(([name, schema]) =>
      parameter("header", headerOf(name), schema as z.ZodType, false),
    ),
  ];
  return {
    operationId: path === operation.path ? id : `${id}New`,
    summary: operation.summary,
    description: operation.description,
    tags: [tagOf(id)],
    security: operation.scope === "public" ? [] : undefined,
    "x-scope": operation.scope,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: takesBytes ? bytesBody : body && requestBody(body),
    responses: { ...successes(operation), ...failures(operation) },
  };
}

/** A body whose fields may all be left out may be left out itself. */
function requestBody(body: z.ZodObject): Json {
  const required = Object.values(body.shape).some((field) => !(field as z.ZodType).safeParse(undefined).success);
  return { required, content: { "application/json": { schema: referenceOf(body, prefix) } } };
}

const bytes = { schema: { type: "string", format: "binary" } };
const bytesBody = { required: true, content: { "application/octet-stream": bytes } };

const mediaTypes = {
  json: "application/json",
  text: "text/plain; charset=utf-8",
  sse: "text/event-stream",
  ui: "text/event-stream",
} as const;

function successes({ method, answer, status, contentType, response, summary }: Operation): Json {
  if (answer === "empty") return { [status]: { description: summary } };
  if (answer === "bytes") {
    return { [status]: { description: summary, content: { "application/octet-stream": bytes } } };
  }
  const schema = response ? referenceOf(response, prefix) : { type: "string" };
  const whole = { description: summary, content: { [contentType ?? mediaTypes[answer]]: { schema } } };
  if (answer !== "ui" || method !== "GET") return { [status]: whole };
  return { [status]: whole, 204: { description: "There is nothing to tell: no turn is open" } };
}

function failures(operation: Operation): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of problemsOf(operation)) {
    byStatus.set(problems[code][0], [...(byStatus.get(problems[code][0]) ?? []), code]);
  }
  const content = { "application/problem+json": { schema: { $ref: `${prefix}Problem` } } };
  const answers = [...byStatus].map(([status, codes]) => [
    status,
    { description: codes.join(", "), headers: headersOfStatus[status], content },
  ]);
  return { ...Object.fromEntries(answers), default: { description: "Any other problem", content } };
}

const headersOfStatus: Readonly<Record<number, Json>> = {
  401: { "WWW-Authenticate": { description: "Bearer", schema: { type: "string" } } },
  405: { Allow: { description: "The methods that the path takes", schema: { type: "string" } } },
};

/** What any operation can be refused with, and its own problems. */
function problemsOf(operation: Operation): Set<ProblemCode> {
  const hasBody = operation.body !== undefined;
  return new Set<ProblemCode>([
    "invalid_request",
    ...accessProblemsOf(operation),
    "forbidden_host",
    "forbidden_origin",
    "method_not_allowed",
    ...(hasBody ? (["body_too_large", "unsupported_media_type"] as const) : []),
    ...operation.problems,
    "internal",
  ]);
}

function parameter(place: "path" | "query" | "header", name: string, schema: z.ZodType, required: boolean): Json {
  // Everything in a URL is text; what it is read as tells more: `?raw=true` is a boolean.
  const { description, ...converted } = convertSchema(schema, prefix, "output");
  return { name, in: place, required, description: schema.description ?? description, schema: converted };
}
