/** Opens the SQLite file named by each line of its input, from the build; answers `opened`, or why not. */
import { createInterface } from "node:readline";
import { openSqliteFile } from "../dist/sqlite-file.js";

process.stdout.write("ready\n");
for await (const path of createInterface({ input: process.stdin })) {
  try {
    (await openSqliteFile(path)).close();
    process.stdout.write("opened\n");
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
  }
}
