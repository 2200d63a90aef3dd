/** Every schema of the API as a Standard Schema value (zod's, which is inside). */
export * from "./generated/schemas.ts";
export type { Schema, SchemaIssue, SchemaResult } from "./schema.ts";
