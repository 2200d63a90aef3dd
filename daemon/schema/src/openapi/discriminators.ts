import type { Json } from "./json-schema.ts";

/** Adds to each union told apart by a field which value of it means which schema. */
export function addMappings(schemas: Record<string, Json>, prefix: string): Record<string, Json> {
  for (const schema of Object.values(schemas)) addEnums(schema);
  for (const schema of Object.values(schemas)) {
    const { discriminator, oneOf } = schema as { discriminator?: { propertyName: string }; oneOf?: Json[] };
    if (discriminator === undefined || oneOf === undefined) continue;
    const mapping = oneOf.flatMap(({ $ref }) => {
      const member = schemas[String($ref).slice(prefix.length)] as { properties?: Record<string, Json> } | undefined;
      const field = member?.properties?.[discriminator.propertyName] ?? {};
      return (field.enum as unknown[]).map((value) => [value, $ref]);
    });
    schema.discriminator = { ...discriminator, mapping: Object.fromEntries(mapping) };
  }
  return schemas;
}

/** A text that is always the same is also a list of one: generators that were made for OpenAPI 3.0 know no `const`. */
function addEnums(schema: Json): void {
  for (const field of Object.values((schema.properties ?? {}) as Record<string, Json>)) {
    if (typeof field.const === "string") field.enum = [field.const];
  }
}
