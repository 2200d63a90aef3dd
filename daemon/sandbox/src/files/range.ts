import { Failure } from "@muster/schema/wire";

export interface Range {
  readonly start: number;
  /** Behind the last byte. */
  readonly end: number;
}

/** The one range that a header asks for; undefined for the whole, also where several are asked for. */
export function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (start < end) return { start, end };
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  throw new Failure("range_not_satisfiable", `The file has ${size} bytes, and ${header} asks for none of them`, {
    size,
  });
}
