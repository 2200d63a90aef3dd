/** Archives whose makers meant harm, or did not know what they were doing. */
interface Entry {
  readonly name: string | Buffer;
  readonly type?: string;
  readonly target?: string;
  readonly content?: string | Buffer;
  /** What the header claims, where that is not the truth. */
  readonly size?: string;
  readonly mode?: string;
  readonly checksum?: string;
  readonly magic?: string;
  readonly prefix?: string;
}

const block = 512;

function entry({
  name,
  type = "0",
  target = "",
  content = "",
  size,
  mode = "0000644\0",
  checksum,
  magic,
  prefix,
}: Entry) {
  const head = Buffer.alloc(block);
  const body = Buffer.from(content);
  Buffer.from(name).copy(head, 0, 0, 100);
  head.write(mode, 100, "latin1");
  head.write("0000000\0", 108, "latin1");
  head.write("0000000\0", 116, "latin1");
  head.write(size ?? `${body.length.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  head.write("00000000000\0", 136, "latin1");
  head.write("        ", 148, "latin1");
  head.write(type, 156, "latin1");
  head.write(target, 157, 100, "utf8");
  head.write(magic ?? "ustar\0" + "00", 257, "latin1");
  if (prefix !== undefined) head.write(prefix, 345, "utf8");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(checksum ?? `${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return Buffer.concat([head, body, Buffer.alloc((block - (body.length % block)) % block)]);
}

const end = Buffer.alloc(2 * block);
const tar = (...entries: Entry[]) => Buffer.concat([...entries.map(entry), end]);
const evil = "evil";

function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length + 1;
  while (`${length}${rest}`.length !== length) length = `${length}${rest}`.length;
  return `${length}${rest}`;
}
const pax = (records: string, type = "x"): Entry => ({ name: "pax", type, content: records });

/** Kind → archive. `up` is the name of what lies outside of where it is unpacked. */
export function badArchives(outside: string): Readonly<Record<string, Buffer>> {
  const out = `${outside}/planted`;
  const depth = "../".repeat(20);
  const link = (target: string, name = "link"): Entry => ({ name, type: "2", target });
  const plant = (name: string): Entry => ({ name, content: evil });
  return {
    "a name that goes up": tar(plant("../planted")),
    "a name that goes up far": tar(plant(`${depth}${out}`.slice(0, 99))),
    "a name that goes up in the middle": tar(plant("a/../../planted")),
    "a name that goes down and up": tar(plant("a/b/../../../planted")),
    "a name that ends going up": tar({ name: "a/..", type: "5" }),
    "a directory that goes up": tar({ name: "../planted/", type: "5" }),
    "an absolute name": tar(plant(out.slice(0, 99))),
    "an absolute name with two slashes": tar(plant(`/${out}`.slice(0, 99))),
    "an absolute directory": tar({ name: `${out.slice(0, 98)}/`, type: "5" }),
    "a prefix that goes up": tar({ name: "planted", prefix: "..", content: evil }),
    "an absolute prefix": tar({ name: "planted", prefix: outside.slice(0, 150), content: evil }),
    "a long name of GNU that goes up": tar({ name: "L", type: "L", content: "../planted\0" }, plant("harmless")),
    "a long name of GNU that is absolute": tar({ name: "L", type: "L", content: `${out}\0` }, plant("harmless")),
    "a path record that goes up": tar(pax(record("path", "../planted")), plant("harmless")),
    "a path record that is absolute": tar(pax(record("path", out)), plant("harmless")),
    "a path record with a zero byte": tar(pax(record("path", "a\0b")), plant("harmless")),
    "an absolute link": tar(link(outside)),
    "an absolute link and a file through it": tar(link(outside), plant("link/planted")),
    "a link up and a file through it": tar(link(".."), plant("link/planted")),
    "a link up in a directory that leads out": tar(link("../../outside", "a/link")),
    "a link that goes down and up": tar(link("a/../../outside")),
    "two links that lead out together": tar(link(".", "here"), link("here/here/../../outside")),
    "a chain of links": tar(link(".", "a"), link("a/..", "b"), plant("b/planted")),
    "a link of GNU that leads out": tar({ name: "K", type: "K", content: `${outside}\0` }, link("short")),
    "a link record that leads out": tar(pax(record("linkpath", outside)), link("short")),
    "a link without a target": tar(link("")),
    "a link and a file of its name": tar(link("../outside/kept"), plant("link")),
    "a link and a directory through it": tar(link("../outside"), { name: "link/planted/", type: "5" }),
    "a link and a directory of its name": tar(link("sub"), { name: "link/", type: "5" }),
    "a link through a link of the archive": tar(link("sub"), { name: "sub/", type: "5" }, plant("link/planted")),
    "a file and something below it": tar(plant("file"), plant("file/planted")),
    "a directory and a file of its name": tar({ name: "sub/", type: "5" }, plant("sub")),
    "a second name of something outside": tar({ name: "hard", type: "1", target: "../outside/kept" }),
    "a second name of something absolute": tar({ name: "hard", type: "1", target: `${outside}/kept`.slice(0, 99) }),
    "a second name of a link": tar(link("harmless", "soft"), { name: "hard", type: "1", target: "soft" }),
    "a second name through a link": tar(link("sub"), { name: "hard", type: "1", target: "link/kept" }),
    "a second name of what is not there": tar({ name: "hard", type: "1", target: "nothing" }),
    "a second name of a directory": tar({ name: "sub/", type: "5" }, { name: "hard", type: "1", target: "sub" }),
    "a device of characters": tar({ name: "null", type: "3" }),
    "a device of blocks": tar({ name: "disk", type: "4" }),
    "a pipe": tar({ name: "pipe", type: "6" }),
    "a type nobody knows": tar({ name: "what", type: "Z" }),
    "a sparse file of GNU": tar({ name: "sparse", type: "S" }),
    "a sparse record": tar(pax(record("GNU.sparse.major", "1")), plant("sparse")),
    "a name of more than 255 bytes": tar({ name: "L", type: "L", content: `${"n".repeat(256)}\0` }, plant("short")),
    "a name longer than any path": tar({ name: "L", type: "L", content: "n".repeat(70_000) }, plant("short")),
    "a path of too many names": tar({ name: "L", type: "L", content: `${"a/".repeat(600)}b\0` }, plant("short")),
    "a wrong checksum": tar({ ...plant("file"), checksum: "000001\0 " }),
    "a size that is no number": tar({ ...plant("file"), size: "99999999999\0" }),
    "a size below zero": tar({ ...plant("file"), size: "\xff".repeat(12) }),
    "a size of more than there is": tar({ ...plant("file"), size: "77777777777\0" }),
    "a size past all numbers": tar({ ...plant("file"), size: `\x80${"\xff".repeat(11)}` }),
    "a record that is longer than it is": tar(pax("99 path=x\n"), plant("file")),
    "a record without a length": tar(pax("path=x\n"), plant("file")),
    "a record of no length": tar(pax("0 path=x\n"), plant("file")),
    "a directory with bytes": tar({ name: "sub/", type: "5", content: evil }),
    "a link with bytes": tar({ name: "link", type: "2", target: "sub", content: evil }),
    "an archive that is cut off": tar(plant("file")).subarray(0, 600),
    "an archive without its end": entry(plant("file")),
    "bytes behind the end": Buffer.concat([tar(plant("file")), Buffer.alloc(3 * 1024 * 1024, 1)]),
    "no archive": Buffer.from("this is no archive ".repeat(100)),
    nothing: Buffer.alloc(0),
    "a file without a name": tar(plant("")),
    "a file named as the directory": tar(plant(".")),
  };
}

/** What may be taken, and still must not lead out: each entry is harmless, or made so. */
export const strangeArchives: Readonly<Record<string, Buffer>> = {
  "a file that is to run as its owner": tar({ name: "suid", mode: "0006777\0", content: evil }),
  "backslashes, which are names here": tar({ name: "..\\..\\planted", content: evil }),
  "a drive of another system": tar({ name: "C:\\planted", content: evil }),
  "the same name twice": tar({ name: "twice", content: "one" }, { name: "twice", content: evil }),
  "a link that is replaced by a file": tar({ name: "a", type: "2", target: "b" }, { name: "a", content: evil }),
  "names that differ in their case": tar(
    { name: "case", type: "2", target: "b" },
    { name: "CASE/planted", content: evil },
  ),
  "dots that mean nothing": tar({ name: "././//a/./b", content: evil }),
  "three dots": tar({ name: ".../planted", content: evil }),
  "a form of dots in other letters": tar({ name: "．．/planted", content: evil }),
  "a dot that is encoded": tar({ name: "%2e%2e/planted", content: evil }),
  "dots of an overlong form": tar({ name: Buffer.from([0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x70]), content: evil }),
};
