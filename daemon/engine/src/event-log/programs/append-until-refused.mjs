/** Appends until the disk refuses, then says as one line of JSON what that looked like from inside. */
import { EventLog, GroupSync } from "../../../dist/event-log/index.js";

// The limit on file sizes sends this signal before it fails the write; nobody wants to die of it.
process.on("SIGXFSZ", () => {});
const [directory] = process.argv.slice(2);
const groupSync = new GroupSync();
const log = await EventLog.open({ directory, sessionId: "s1", durability: "batch", groupSync });
let rejected;
while (log.failed === undefined) {
  const data = { itemId: "item_1", index: 0, part: "text", delta: "x".repeat(700) };
  const appended = log.append(
    Array.from({ length: 5 }, () => ({ source: "agent", body: { type: "item.delta", data } })),
  );
  await appended.written.catch((error) => {
    rejected = { ...error.toProblem(), first: appended.first };
  });
}
const { publishedSequence, lastSequence } = log;
await log.close();
await groupSync.close();
process.stdout.write(JSON.stringify({ rejected, publishedSequence, lastSequence }));
