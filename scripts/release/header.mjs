/** What the first bytes of a program say it is made for. */
import { open } from "node:fs/promises";

/** Throws unless the file is a program of this format and machine. */
export async function checkHeader(path, { format, machine }) {
  const found = read(await firstBytes(path));
  if (found.format === format && found.machine === machine) return;
  throw new Error(`${path} is ${found.format} for machine ${found.machine}, not ${format} for ${machine}`);
}

async function firstBytes(path) {
  const file = await open(path);
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(4096), position: 0 });
    return buffer;
  } finally {
    await file.close();
  }
}

function read(bytes) {
  if (bytes.readUInt32BE(0) === 0x7f454c46) return { format: "elf", machine: bytes.readUInt16LE(18) };
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return { format: "macho", machine: bytes.readUInt32LE(4) };
  if (bytes.toString("latin1", 0, 2) === "MZ") {
    const at = bytes.readUInt32LE(0x3c);
    if (bytes.toString("latin1", at, at + 2) === "PE") return { format: "pe", machine: bytes.readUInt16LE(at + 4) };
  }
  return { format: "unknown" };
}
