interface EndRecord {
  exitCode: number;
  /** Where the shell stands after the command. */
  cwd: string;
  /** The hook that tells the end of an interrupted command is gone for good. */
  spoiled: boolean;
}

export interface Parsed {
  output: Buffer[];
  end: EndRecord | null;
  /** What followed the end record. */
  after: Buffer;
}

/**
 * Cuts one command's output out of the shell's stream: from the begin record to the end record of its nonce.
 * Records of any other nonce are output like everything else.
 */
export class RecordReader {
  readonly #begin: Buffer;
  readonly #end: Buffer;
  #begun: boolean;
  #carry: Buffer = none;

  /** `begun`: the shell prints no begin record (its own start). */
  constructor(nonce: string, options: { begun?: boolean } = {}) {
    this.#begin = Buffer.from(`\x1b]777;b;${nonce}\x07`, "latin1");
    this.#end = Buffer.from(`\x1b]777;e;${nonce};`, "latin1");
    this.#begun = options.begun ?? false;
  }

  push(bytes: Buffer): Parsed {
    let rest = this.#carry.length > 0 ? Buffer.concat([this.#carry, bytes]) : bytes;
    this.#carry = none;
    if (!this.#begun) {
      const at = rest.indexOf(this.#begin);
      if (at === -1) {
        this.#carry = Buffer.from(rest.subarray(rest.length - unfinishedMarker(rest, this.#begin)));
        return { output: [], end: null, after: none };
      }
      this.#begun = true;
      rest = rest.subarray(at + this.#begin.length);
    }
    return this.#untilEnd(rest);
  }

  /** What was held back as a possible record, when nothing will follow it any more. */
  rest(): Buffer {
    const rest = this.#begun ? this.#carry : none;
    this.#carry = none;
    return rest;
  }

  #untilEnd(bytes: Buffer): Parsed {
    const output: Buffer[] = [];
    let rest = bytes;
    for (;;) {
      const at = rest.indexOf(this.#end);
      if (at === -1) {
        const held = unfinishedMarker(rest, this.#end);
        this.#carry = Buffer.from(rest.subarray(rest.length - held));
        if (rest.length > held) output.push(rest.subarray(0, rest.length - held));
        return { output, end: null, after: none };
      }
      const contentAt = at + this.#end.length;
      const bell = rest.indexOf(0x07, contentAt);
      if (bell === -1 && rest.length - at <= longestRecord) {
        this.#carry = Buffer.from(rest.subarray(at));
        if (at > 0) output.push(rest.subarray(0, at));
        return { output, end: null, after: none };
      }
      const end = bell === -1 ? null : parseEnd(rest.subarray(contentAt, bell).toString("latin1"));
      if (end !== null) {
        if (at > 0) output.push(rest.subarray(0, at));
        return { output, end, after: rest.subarray(bell + 1) };
      }
      output.push(rest.subarray(0, contentAt));
      rest = rest.subarray(contentAt);
    }
  }
}

const none = Buffer.alloc(0);
/** A path has at most 4096 bytes; each may be percent-encoded. */
const longestRecord = 16 * 1024;

/** How many bytes at the end of `bytes` could be the beginning of `marker`. */
function unfinishedMarker(bytes: Buffer, marker: Buffer): number {
  const start = bytes.lastIndexOf(0x1b);
  const length = bytes.length - start;
  if (start === -1 || length >= marker.length) return 0;
  return marker.subarray(0, length).equals(bytes.subarray(start)) ? length : 0;
}

function parseEnd(content: string): EndRecord | null {
  const match = /^(\d{1,3});([^;]*)(;r)?$/.exec(content);
  if (match === null) return null;
  const path = (match[2] ?? "").replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return {
    exitCode: Number(match[1]),
    cwd: Buffer.from(path, "latin1").toString("utf8"),
    spoiled: match[3] !== undefined,
  };
}
