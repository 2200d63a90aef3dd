/** Opens the SQLite file it is given as a process of its own, from the build; prints the lines it finds, and closes it. */
import { openSqliteFile } from "../dist/sqlite-file.js";

const file = await openSqliteFile(process.argv[2]);
const rows = file.prepare("select text from line order by rowid").all();
process.stdout.write(JSON.stringify(rows.map(({ text }) => text)));
file.close();
