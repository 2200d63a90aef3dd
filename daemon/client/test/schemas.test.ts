import { expect, it } from "vitest";
import * as schemas from "../src/schemas.ts";

it("every schema is a Standard Schema that checks", async () => {
  const values = Object.entries(schemas).filter(([, value]) => typeof value === "object" && "~standard" in value);
  expect(values.length).toBeGreaterThan(40);
  expect(values.map(([name]) => name)).toEqual(expect.arrayContaining(["UniversalEvent", "Item", "SendMessage"]));
  for (const [, schema] of values) {
    expect((schema as typeof schemas.SendMessage)["~standard"]).toMatchObject({ version: 1, vendor: "zod" });
  }
  const { validate } = schemas.SendMessage["~standard"];
  expect(await validate({ message: "Say hello" })).toEqual({ value: { message: "Say hello" } });
  expect((await validate({ message: 1 })).issues).toMatchObject([{ path: ["message"] }]);
});
