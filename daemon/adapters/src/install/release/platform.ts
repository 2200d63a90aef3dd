import { existsSync, readFileSync } from "node:fs";

/** The builds agents are shipped as. What is not in a release's table has no build for that machine. */
export type Platform =
  | "linux-x64"
  | "linux-x64-baseline"
  | "linux-x64-musl"
  | "linux-x64-baseline-musl"
  | "linux-arm64"
  | "linux-arm64-musl"
  | "darwin-arm64"
  | "darwin-x64"
  | (string & {});

/** Platform → what a vendor calls it. */
export type PlatformNames = Readonly<Partial<Record<Platform, string>>>;

/** The machine we run on. `baseline` is an x64 processor without AVX2, for which some agents ship a build of its own. */
export function thisPlatform(): Platform {
  const { platform, arch } = process;
  if (platform !== "linux") return `${platform}-${arch}`;
  const baseline = arch === "x64" && !hasAvx2() ? "-baseline" : "";
  return `linux-${arch}${baseline}${usesMusl() ? "-musl" : ""}`;
}

/** The name for this machine; a release without baseline builds runs its ordinary ones there. */
export function nameFor(names: PlatformNames, platform: Platform): string | undefined {
  return names[platform] ?? names[platform.replace("-baseline", "")];
}

function usesMusl(): boolean {
  const reporter = process.report as (Partial<NodeJS.ProcessReport> & { excludeNetwork?: boolean }) | undefined;
  // Otherwise the report looks up the name of every connected client.
  if (reporter) reporter.excludeNetwork = true;
  const report = reporter?.getReport?.() as { header?: { glibcVersionRuntime?: string } } | undefined;
  if (report?.header) return report.header.glibcVersionRuntime === undefined;
  // Runtimes without a report: glibc systems may have musl's loader installed, but not the other way round.
  const architecture = process.arch === "arm64" ? "aarch64" : "x86_64";
  return existsSync(`/lib/ld-musl-${architecture}.so.1`) && !existsSync("/lib64/ld-linux-x86-64.so.2");
}

function hasAvx2(): boolean {
  try {
    return /\bavx2\b/.test(readFileSync("/proc/cpuinfo", "utf8"));
  } catch {
    // Without /proc the ordinary build is tried; `--version` tells if it does not run.
    return true;
  }
}
