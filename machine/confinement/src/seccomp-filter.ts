/** Numbers of the kernel for one kind of processor. */
interface Machine {
  /** `AUDIT_ARCH_…`: a call in the numbers of another kind would pass a filter that does not look at it. */
  readonly audit: number;
  readonly socket: number;
  /** Refused altogether: keyrings of the user, and ways to do what a filter forbids without making the call. */
  readonly refused: readonly number[];
  readonly prctl: number;
}

const machines: Readonly<Record<string, Machine>> = {
  // add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, io_uring_setup
  x64: { audit: 0xc000003e, socket: 41, refused: [248, 249, 250, 298, 321, 323, 425], prctl: 157 },
  arm64: { audit: 0xc00000b7, socket: 198, refused: [217, 218, 219, 241, 280, 282, 425], prctl: 167 },
};

export function machineOf(arch: string): Machine | undefined {
  return Object.hasOwn(machines, arch) ? machines[arch] : undefined;
}

/** Families no command in a sandbox may make a socket of: a path or a number of theirs leads past every mount. */
const refusedFamilies = { unix: 1, vsock: 40 } as const;

/**
 * The program a kernel runs before each call, as bytes: sockets of the families above and the refused calls fail with
 * EACCES, calls in foreign numbers end the process. `socketpair` is another call and stays: it reaches nobody else.
 */
export function seccompFilter({ audit, socket, refused }: Machine): Buffer {
  const families = Object.values(refusedFamilies);
  const program: Step[] = [
    load(4),
    jumpIf("==", audit, 1, 0),
    give(killProcess),
    load(0),
    // x32: the same numbers with a bit set.
    jumpIf(">=", 0x40000000, 0, 1),
    give(killProcess),
    ...refused.flatMap((number) => [jumpIf("==", number, 0, 1), give(refuse)]),
    jumpIf("==", socket, 1, 0),
    give(allow),
    load(16),
    ...families.flatMap((family) => [jumpIf("==", family, 0, 1), give(refuse)]),
    give(allow),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, yes, no, value], at) => {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(yes, at * 8 + 2);
    bytes.writeUInt8(no, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  });
  return bytes;
}

type Step = readonly [code: number, yes: number, no: number, value: number];

const allow = 0x7fff0000;
const killProcess = 0x80000000;
/** SECCOMP_RET_ERRNO with EACCES. */
const refuse = 0x00050000 | 13;

/** Loads 32 bits of `struct seccomp_data`: the number at 0, the machine at 4, the first argument at 16. */
function load(offset: number): Step {
  return [0x20, 0, 0, offset];
}

/** Skips so many steps. */
function jumpIf(test: "==" | ">=", value: number, yes: number, no: number): Step {
  return [test === "==" ? 0x15 : 0x35, yes, no, value];
}

function give(value: number): Step {
  return [0x06, 0, 0, value];
}
