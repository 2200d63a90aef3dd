import { spawnSync } from "node:child_process";

/** Programs of Debian, installed when one is missing and this process may do so; else the reason why there is none. */
export function installPrograms(programs: Readonly<Record<string, string>>): { reason: string } | undefined {
  const missing = () => Object.keys(programs).filter((program) => spawnSync("which", [program]).status !== 0);
  const packages = [...new Set(missing().map((program) => programs[program] ?? program))];
  if (packages.length === 0) return undefined;
  const install = ["install", "-y", "--no-install-recommends", ...packages];
  if (process.getuid?.() !== 0) return { reason: `missing: apt-get ${install.join(" ")}` };
  spawnSync("apt-get", ["update"], { stdio: "ignore", timeout: 120_000 });
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", install, { stdio: "ignore", timeout: 400_000, env });
  return missing().length === 0 ? undefined : { reason: `${packages.join(", ")} could not be installed` };
}
