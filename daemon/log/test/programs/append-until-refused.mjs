/** Appends until the disk refuses, then says as one line of JSON what that looked like from inside. */
import { GroupSync, Log } from "../../dist/index.js";
import { newLines, textForm } from "../text-lines.mjs";

// The limit on file sizes sends this signal before it fails the write; nobody wants to die of it.
process.on("SIGXFSZ", () => {});
const [directory] = process.argv.slice(2);
const groupSync = new GroupSync();
const log = await Log.open({ directory, form: textForm("s1"), durability: "batch", groupSync });
let rejected;
while (log.failed === undefined) {
  const texts = Array.from({ length: 5 }, () => ({ type: "text", data: { text: "x".repeat(700) } }));
  const place = { name: "s1", first: log.nextSequence(), time: new Date().toISOString() };
  const appended = log.append(newLines(place, texts));
  await appended.written.catch((error) => {
    rejected = { ...error.toProblem(), first: appended.first };
  });
}
const { publishedSequence, lastSequence } = log;
await log.close();
await groupSync.close();
process.stdout.write(JSON.stringify({ rejected, publishedSequence, lastSequence }));
