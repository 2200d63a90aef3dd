import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";

const slash = Buffer.from("/");

/** Names that programs trip over: each is a legal name of Linux. */
const oddNames: readonly Buffer[] = [
  Buffer.from("with\nnewline"),
  Buffer.from([0xff, 0xfe, 0x41, 0x80]),
  Buffer.from("é".normalize("NFD")),
  Buffer.from("é".normalize("NFC")),
  Buffer.from("-rf"),
  Buffer.from(" leading and trailing "),
  Buffer.from("quote'\"`$(echo)\\"),
  Buffer.from("..."),
  Buffer.from("tab\tbell\u0007escape\u001b[31m"),
  Buffer.from("\u202egnp.exe"),
  Buffer.from("CON"),
  Buffer.from("x".repeat(255)),
  Buffer.concat([Buffer.from([0xc3]), Buffer.from("y".repeat(254))]),
  Buffer.from("日本語".repeat(28)),
];

/** Makes about so many files with odd names, modes, links and holes. */
export async function makeOddTree(root: string, files: number): Promise<void> {
  const top = Buffer.from(root);
  const at = (...names: (Buffer | string)[]) =>
    Buffer.concat([top, ...names.flatMap((name) => [slash, Buffer.from(name)])]);
  mkdirSync(top, { recursive: true });
  for (const [index, name] of oddNames.entries()) {
    writeFileSync(at(name), `odd ${index}`);
    mkdirSync(at(`in ${index}`));
    mkdirSync(at(`in ${index}`, name));
    writeFileSync(at(`in ${index}`, name, name), Buffer.alloc(index * 513, index));
    symlinkSync(name, at(`link ${index}`));
  }
  const folders = Math.ceil(files / 50);
  for (let folder = 0; folder < folders; folder++) {
    mkdirSync(at(`folder ${folder}`));
    for (let file = 0; file < 50; file++) {
      const path = at(`folder ${folder}`, `file ${file}`);
      writeFileSync(path, Buffer.alloc((folder * 50 + file) % 1500, file));
      chmodSync(path, [0o644, 0o600, 0o755, 0o444, 0o400, 0o777][file % 6] ?? 0o644);
      utimesSync(path, 1_500_000_000, 1_500_000_000 + folder * 50 + file);
    }
  }
  mkdirSync(at("empty"));
  chmodSync(at("empty"), 0o700);
  symlinkSync("../folder 0/file 1", at("folder 1", "up and down"));
  symlinkSync("nowhere", at("dangling"));
  let deep = at("deep");
  mkdirSync(deep);
  for (let level = 0; level < 40; level++) {
    deep = Buffer.concat([deep, slash, Buffer.from(`level ${level} of many`)]);
    mkdirSync(deep);
  }
  writeFileSync(Buffer.concat([deep, slash, Buffer.from("bottom")]), "far down");
  const sparse = await open(at("sparse"), "w");
  await sparse.write(Buffer.from("begin"), 0, 5, 0);
  await sparse.write(Buffer.from("middle"), 0, 6, 9_000_000);
  await sparse.truncate(24 * 1024 * 1024);
  await sparse.close();
}

/** Every name below a directory with all that is to be the same after a way up and down. */
export function pictureOf(root: string): Map<string, string> {
  const picture = new Map<string, string>();
  const walk = (path: Buffer, name: Buffer) => {
    const found = lstatSync(path);
    const key = name.toString("latin1");
    const mode = (found.mode & 0o777).toString(8);
    if (found.isSymbolicLink())
      picture.set(key, `link ${readlinkSync(path, { encoding: "buffer" }).toString("latin1")}`);
    else if (found.isFile()) {
      const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
      picture.set(key, `file ${mode} ${found.size} ${Math.floor(found.mtimeMs / 1000)} ${hash}`);
    } else if (found.isDirectory()) {
      if (name.length > 0) picture.set(key, `directory ${mode}`);
      for (const inner of readdirSync(path, { encoding: "buffer" })) {
        walk(Buffer.concat([path, slash, inner]), name.length === 0 ? inner : Buffer.concat([name, slash, inner]));
      }
    } else picture.set(key, "other");
  };
  walk(Buffer.from(root), Buffer.alloc(0));
  return picture;
}
