/** Appends for ever and says on stdout what it saw published (`seen`) and synced (`synced`), until it is killed. */
import { GroupSync, Log } from "../../dist/index.js";
import { newLines, textForm, textFraming } from "../text-lines.mjs";

const [directory, durability, life] = process.argv.slice(2);
const groupSync = new GroupSync();
const form = { form: textForm("s1"), framing: textFraming };
const log = await Log.open({ directory, ...form, durability, groupSync, segmentBytes: 100_000 });
const say = (words) => process.stdout.write(`${words}\n`);
say(`opened ${log.lastSequence}`);
void tellWhatIsSeen(log.reader(log.lastSequence));

for (let n = 0; ; n++) {
  const texts = Array.from({ length: 1 + (n % 5) }, (_, i) =>
    `life ${life} append ${n}.${i} `.repeat(1 + ((n * 7 + i) % 60)),
  );
  const lines = newLines({ name: "s1", first: log.nextSequence(), time: new Date().toISOString() }, texts.map(says));
  const appended = log.append(lines);
  if (n % 10 === 0) void appended.synced().then(() => say(`synced ${appended.last}`));
  if (n % 3 === 0) await appended.written;
}

function says(text) {
  return { type: "text", data: { text } };
}

async function tellWhatIsSeen(reader) {
  for (let frames = await reader.next(); frames !== null; frames = await reader.next()) {
    let words = "";
    for (const [, json] of frames.bytes.toString().matchAll(/^data: (.*)$/gm)) words += `seen ${json}\n`;
    process.stdout.write(words);
  }
}
