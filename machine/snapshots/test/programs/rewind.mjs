// Rewinds a session and is killed while it does: node rewind.mjs <options as JSON>
import { DirectoryHistory } from "@muster/snapshots";

const { root, directory, session, to, force } = JSON.parse(process.argv[2] ?? "{}");
const history = await DirectoryHistory.open({ root, directory });
const { kind } = await history.rewind({ session, to, force });
process.stdout.write(`${kind}\n`);
