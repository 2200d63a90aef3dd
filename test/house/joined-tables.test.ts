import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { eventData, operations, problems } from "@muster/schema";
import { expect, it } from "vitest";
import { routes } from "../../daemon/server/src/routes/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A spread takes the last row of a name without a word, and a file that no index joins is never missed. */
it.each([
  ["daemon/schema/src/operations", /Operations$/, operations],
  ["daemon/schema/src/events", /Events$/, eventData],
  ["daemon/schema/src/problems", /Problems$/, problems],
  ["daemon/server/src/routes", /Routes$/, routes],
])("%s joins every row of every subject once", async (folder, name, joined) => {
  const files = readdirSync(`${root}/${folder}`).filter((file) => file.endsWith(".ts") && file !== "index.ts");
  const modules = await Promise.all(files.map((file) => import(`${root}/${folder}/${file}`)));
  const subjects = modules.flatMap((module) => Object.entries(module).filter(([key]) => name.test(key)));
  const rows = subjects.flatMap(([, table]) => Object.keys(table as object));
  expect(rows.sort()).toEqual(Object.keys(joined).sort());
});
