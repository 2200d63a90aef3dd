import { z } from "zod";
import { namedSchemas, schemaNames, wordsOf } from "./named-schemas.ts";

export type Json = Record<string, unknown>;

/** Every named concept as one JSON Schema document. */
export function jsonSchema(): Json {
  const definitions = Object.entries(definitionsOf("#/$defs/"));
  // A discriminator is OpenAPI's word.
  const $defs = Object.fromEntries(definitions.map(([name, { discriminator: _, ...schema }]) => [name, schema]));
  return { $schema: "https://json-schema.org/draft/2020-12/schema", $defs };
}

export function definitionsOf(prefix: string): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(namedSchemas).map(([name, schema]) => {
      const description = wordsOf(schema);
      return [name, { ...convertSchema(schema, prefix), ...(description !== undefined && { description }) }];
    }),
  );
}

/** A schema as JSON Schema in which every other named concept is a reference. */
export function convertSchema(root: z.ZodType, prefix: string, io: "input" | "output" = "input"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(root, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      const { def } = zodSchema._zod;
      if (def.type === "union" && "discriminator" in def) {
        Object.assign(jsonSchema, { discriminator: { propertyName: def.discriminator } });
      }
      const name = (zodSchema as unknown) === root ? undefined : schemaNames.get(zodSchema);
      // A concept described anew (`Item.describe(…)`) has got the reference from the concept itself.
      if (name !== undefined) jsonSchema.$ref = `${prefix}${name}`;
      if (jsonSchema.$ref === undefined) return;
      // Only the words of the place stay beside a reference.
      for (const key of Object.keys(jsonSchema)) {
        if (key !== "$ref" && key !== "description") delete jsonSchema[key as keyof typeof jsonSchema];
      }
    },
  }) as Json;
  return withoutRepeatedWords(json, false) as Json;
}

/** A reference tells its concept's words only where it is a property: elsewhere they stand in the concept itself. */
function withoutRepeatedWords(value: unknown, isProperty: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutRepeatedWords(one, false));
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as Json;
  if (typeof $ref === "string" && !isProperty) return { $ref };
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === "properties" ? propertiesOf(inner as Json) : withoutRepeatedWords(inner, false),
  ]);
  return Object.fromEntries(entries);
}

function propertiesOf(properties: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, withoutRepeatedWords(schema, true)]),
  );
}

/** The name of a schema, where it has one. */
export function referenceOf(schema: z.ZodType, prefix: string): Json {
  const name = schemaNames.get(schema);
  return name === undefined ? convertSchema(schema, prefix) : { $ref: `${prefix}${name}` };
}
