import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { machineOf, seccompFilter } from "./seccomp-filter.ts";

/** As a kernel hands a call to the filter: `struct seccomp_data`, little-endian on both machines. */
interface Call {
  readonly number: number;
  readonly machine: number;
  readonly first?: number;
}

const allowed = 0x7fff0000;
const killed = 0x80000000;
const refused = 0x00050000 | 13;

/** Classic BPF, as far as filters of calls use it: what the program gives for a call. Throws for what a kernel would not load. */
function verdictOf(program: Buffer, { number, machine, first = 0 }: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(machine, 4);
  data.writeBigUInt64LE(BigInt(first), 16);
  let accumulator = 0;
  for (let at = 0; ; at += 1) {
    if ((at + 1) * 8 > program.length) throw new Error(`step ${at} is behind the end`);
    const [code, yes, no, value] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
      program.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else if (code === 0x35) at += accumulator >= value ? yes : no;
    else if (code === 0x06) return value;
    else throw new Error(`step ${at} has the unknown code ${code}`);
  }
}

/** Numbers of the kernel's own tables, written down here once more. */
const tables = {
  x64: {
    machine: 0xc000003e,
    other: 0xc00000b7,
    prctl: 157,
    calls: {
      ...{ read: 0, socket: 41, connect: 42, socketpair: 53, execve: 59, clone: 56, prctl: 157, seccomp: 317 },
      ...{ add_key: 248, request_key: 249, keyctl: 250, perf_event_open: 298, bpf: 321, userfaultfd: 323 },
      ...{ io_uring_setup: 425, landlock_create_ruleset: 444 },
    },
  },
  arm64: {
    machine: 0xc00000b7,
    other: 0xc000003e,
    prctl: 167,
    calls: {
      ...{ read: 63, socket: 198, connect: 203, socketpair: 199, execve: 221, clone: 220, prctl: 167, seccomp: 277 },
      ...{ add_key: 217, request_key: 218, keyctl: 219, perf_event_open: 241, bpf: 280, userfaultfd: 282 },
      ...{ io_uring_setup: 425, landlock_create_ruleset: 444 },
    },
  },
} as const;
const closed = ["add_key", "request_key", "keyctl", "perf_event_open", "bpf", "userfaultfd", "io_uring_setup"];

describe.each(["x64", "arm64"] as const)("the filter for %s", (arch) => {
  const { machine, other, calls, prctl } = tables[arch];
  const known = machineOf(arch);
  if (known === undefined) throw new Error(`${arch} is not known`);
  const program = seccompFilter(known);
  const verdict = (call: Omit<Call, "machine">) => verdictOf(program, { machine, ...call });

  test("is a program that a kernel loads: whole steps, jumps inside, an end on every way", () => {
    expect(program.length % 8).toBe(0);
    const steps = program.length / 8;
    expect(steps).toBeLessThan(4096);
    for (let at = 0; at < steps; at += 1) {
      const isJump = program.readUInt16LE(at * 8) !== 0x20 && program.readUInt16LE(at * 8) !== 0x06;
      const furthest = isJump ? Math.max(program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)) : 0;
      expect(at + furthest).toBeLessThan(steps - 1 + Number(!isJump));
    }
    expect(program.readUInt16LE(program.length - 8)).toBe(0x06);
  });

  test("refuses the calls that lead around it, and sockets of two families, and nothing else", () => {
    const numbers = new Set(closed.map((name) => calls[name as keyof typeof calls] as number));
    for (let number = 0; number < 600; number += 1) {
      if (number === calls.socket) continue;
      expect([number, verdict({ number })]).toEqual([number, numbers.has(number) ? refused : allowed]);
    }
    for (let family = 0; family < 64; family += 1) {
      const wanted = family === 1 || family === 40 ? refused : allowed;
      expect([family, verdict({ number: calls.socket, first: family })]).toEqual([family, wanted]);
      // The kernel takes 32 bits of the family, whatever stands above them.
      expect(verdict({ number: calls.socket, first: family + 2 ** 40 })).toBe(wanted);
    }
    expect(verdict({ number: calls.socketpair, first: 1 })).toBe(allowed);
    expect(known.prctl).toBe(prctl);
  });

  test("ends a process that calls in the numbers of another machine", () => {
    for (const [foreign, number] of [
      [other, calls.socket],
      [0x40000003, 359],
      [0x40000028, 281],
      [0, 0],
    ] as const)
      expect(verdictOf(program, { machine: foreign, number, first: 1 })).toBe(killed);
    for (const number of [0x40000000, 0x40000000 + calls.socket, 0xffffffff]) expect(verdict({ number })).toBe(killed);
  });
});

const headers = { x64: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", arm64: "/usr/include/asm-generic/unistd.h" };

test.for(["x64", "arm64"] as const)("the numbers for %s are those of the kernel's header", (arch, context) => {
  if (!existsSync(headers[arch])) return context.skip("there are no kernel headers here");
  const text = readFileSync(headers[arch], "utf8");
  for (const [name, number] of Object.entries(tables[arch].calls)) {
    const told = new RegExp(`#define __NR(?:3264)?_${name}\\s+(\\d+)`).exec(text)?.[1];
    expect([name, Number(told)]).toEqual([name, number]);
  }
});

test("no other machine has a filter", () => {
  expect([machineOf("riscv64"), machineOf("ia32"), machineOf("toString")]).toEqual([undefined, undefined, undefined]);
});
