import { describe, expect, it } from "vitest";
import { operationIds, operations } from "../operations/index.ts";
import type { Operation } from "../operations/operation.ts";
import type { Json } from "./json-schema.ts";
import { openApi } from "./openapi.ts";

interface Described {
  operationId: string;
  description?: string;
  tags: string[];
  parameters?: { name: string; description?: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; headers?: Json; content?: Record<string, { schema: Json }> }>;
}

const document = openApi("0.0.0") as unknown as {
  info: Json;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Json> };
};
const { schemas } = document.components;
const rows = Object.values(document.paths).flatMap((path) => Object.values(path));

describe("words", () => {
  it("every property of every schema has some", () => {
    expect(propertiesWithout(document, "")).toEqual([]);
  });

  it("every schema, operation, parameter and tag has some", () => {
    expect(Object.keys(schemas).filter((name) => !schemas[name]?.description)).toEqual([]);
    expect(rows.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual([]);
    const silent = rows.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
    );
    expect(silent).toEqual([]);
    const known = document.tags.map(({ name }) => name);
    expect(rows.flatMap(({ tags }) => tags).filter((tag) => !known.includes(tag))).toEqual([]);
    expect(document.info.contact).toBeDefined();
  });
});

describe("bodies and answers", () => {
  it("a body with a field that must be given is required, the others are not", () => {
    const required = rows.filter(({ requestBody }) => requestBody?.required).map(({ operationId }) => operationId);
    const mustBe = ["sessions.create", "sessions.sendMessage", "sessions.replyQuestion", "ui.send", "tokens.create"];
    expect(required).toEqual(expect.arrayContaining(mustBe));
    for (const id of ["sessions.terminate", "sessions.interrupt", "agents.install"]) expect(required).not.toContain(id);
  });

  it("every body and answer with fields is a named schema", () => {
    const messages = rows.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((message) =>
        Object.values(message?.content ?? {}).map(({ schema }) => ({ operationId, schema })),
      ),
    );
    const unnamed = messages.filter(({ schema }) => Object.keys((schema.properties ?? {}) as Json).length > 0);
    expect(unnamed).toEqual([]);
    expect(messages.filter(({ schema }) => schema.$ref !== undefined).length).toBeGreaterThan(rows.length);
  });

  it("refusals that any request can meet are listed, and whatever else comes is a problem, too", () => {
    for (const id of operationIds) {
      const operation: Operation = operations[id];
      const responses = rows.find(({ operationId }) => operationId === id)?.responses ?? {};
      const always = ["400", "403", "405", "500", "default", ...(operation.body ? ["413", "415"] : [])];
      expect([id, always.filter((status) => !Object.hasOwn(responses, status))]).toEqual([id, []]);
      if (operation.scope !== "public") expect(responses["401"]?.headers).toHaveProperty(["WWW-Authenticate"]);
    }
    expect(document.paths["/ui/{sessionId}/stream"]?.get?.responses).toHaveProperty("204");
  });
});

it("unions are told apart by a field, each value of which names its schema", () => {
  const unions = Object.entries(schemas).filter(([, { oneOf }]) => oneOf !== undefined);
  expect(unions.map(([name]) => name)).toEqual(expect.arrayContaining(["Part", "UniversalEvent", "UniversalMessage"]));
  for (const [name, { oneOf, discriminator }] of unions) {
    const { mapping } = discriminator as { mapping: Record<string, string> };
    const members = (oneOf as { $ref: string }[]).map(({ $ref }) => $ref);
    expect([name, [...new Set(Object.values(mapping))].sort()]).toEqual([name, members.sort()]);
  }
});

function propertiesWithout(value: unknown, place: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { properties } = value as { properties?: Record<string, Json> };
  const own = Object.entries(properties ?? {}).filter(([, property]) => !property.description);
  const inner = Object.entries(value).flatMap(([key, one]) => propertiesWithout(one, `${place}/${key}`));
  return [...own.map(([name]) => `${place}.${name}`), ...inner];
}
