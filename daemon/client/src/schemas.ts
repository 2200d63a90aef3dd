/** Every schema of the API as a zod value, which is a Standard Schema too. Loads zod. */
export * from "@muster/schema";
