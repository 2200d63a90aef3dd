/**
 * The platforms of the single executables. Each is Bun's own binary of that platform, taken from the npm registry, with our
 * code appended: pinned here by version and by the digest of the package.
 */

export const bunVersion = "1.4.4";

/** Bytes 18–19 of an ELF file, 4–7 of a Mach-O file, and of a PE file those after its signature. */
const machines = {
  elf: { x64: 0x3e, arm64: 0xb7 },
  macho: { x64: 0x01000007, arm64: 0x0100000c },
  pe: { x64: 0x8664 },
};

export const targets = {
  "linux-x64": elf(
    "linux-x64",
    "x64",
    "sha512-CHbbkmHVM28T1GFq+6GL4Ao4ujwwYwj1CxFFwEFzLanPfNsId9AhbIP0Q4reWuWBkGimUkoQygrK7Rgjtj3vog==",
  ),
  "linux-x64-musl": elf(
    "linux-x64-musl",
    "x64",
    "sha512-lEEjNOJJrbGZu2NVcPI4uXdILcpspezWkA8R/Jr0RCGhM6zQd0Y7JBIIKNAmbX59EeWpeEz7Q78iLbpcAUypUA==",
  ),
  "linux-arm64": elf(
    "linux-aarch64",
    "arm64",
    "sha512-ZTVtpf9zmHSBVPX1sBwe5agGb/rN34yPGg/Hby8e2Ax2uCUA2URZKlZH7qLntK7qaFJCMXh9v0GWNYN2zINz1w==",
  ),
  "linux-arm64-musl": elf(
    "linux-aarch64-musl",
    "arm64",
    "sha512-QFd0P+mHJxbZFbUla4MgiE5OwxysHaUIYxL2pPNkpWtaI7v4ShOpr8OhBmsuyB0xn5rv/ZJnPsj2y8+bB9+g/A==",
  ),
  "darwin-x64": {
    bun: "darwin-x64",
    format: "macho",
    machine: machines.macho.x64,
    integrity: "sha512-oKGcxLsvh4oHjAo28nPm8c/xN0o/OmGyj1IHYc94vprkWsW2hNg2keEZt5f40cI5Hvu4jDlSRTR0UNpv1UIAxw==",
  },
  "darwin-arm64": {
    bun: "darwin-aarch64",
    format: "macho",
    machine: machines.macho.arm64,
    integrity: "sha512-zW/hxwc8sJAILGwB5eTC4i48ouGXf0V4lrxmEOk3JIE6JkYVW1TZh1E2pIempqsezgW1sckTIIDudFON8bJ2Mw==",
  },
  "windows-x64": {
    bun: "windows-x64",
    format: "pe",
    machine: machines.pe.x64,
    suffix: ".exe",
    integrity: "sha512-a3LNctBVO8PjePsFZfwDleF2JXYf2BfQ1u/PLRnBDLnC2Riml+4+LgJpKj4xRGhB92KweGyQI5PXaTkP9qypMQ==",
  },
};

/** The one that runs here; undefined where none does. */
export const ownTarget = [ownName()].find((name) => Object.hasOwn(targets, name));

/** A Node for musl does not tell of a glibc it runs with. */
function ownName() {
  const name = `${process.platform}-${process.arch}`;
  const isMusl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
  return isMusl ? `${name}-musl` : name;
}

function elf(bun, cpu, integrity) {
  return { bun, format: "elf", machine: machines.elf[cpu], integrity };
}
