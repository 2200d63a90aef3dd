import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { programOutput } from "./program-output.ts";

const built = fileURLToPath(new URL("../../dist/process/program-output.js", import.meta.url));

it("tells what a program prints, and why it failed", async () => {
  expect(await programOutput("/bin/echo", ["hello"], {})).toBe("hello\n");
  await expect(programOutput("/bin/sh", ["-c", "echo no >&2; exit 7"], {})).rejects.toThrow(
    /^\/bin\/sh .* failed: .*no$/s,
  );
  await expect(programOutput("/nonexistent/program", [], {})).rejects.toThrow("ENOENT");
});

it.runIf(hasSetpriv())("a program that does not end dies with whoever asked it, even by SIGKILL", async () => {
  const folder = mkdtempSync(join(tmpdir(), "muster-output-"));
  try {
    const program = join(folder, "program");
    writeFileSync(
      program,
      `#!/bin/sh\necho $$ > ${folder}/pid.part\nmv ${folder}/pid.part ${folder}/pid\nexec sleep 600\n`,
    );
    chmodSync(program, 0o755);
    const script = `import(${JSON.stringify(built)}).then((own) => own.programOutput(${JSON.stringify(program)}, [], {}))`;
    const asking = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
    const pid = () => Number(readFileSync(join(folder, "pid"), "utf8"));
    await expect.poll(pid, { timeout: 30_000 }).toBeGreaterThan(0);
    asking.kill("SIGKILL");
    await once(asking, "exit");
    await expect.poll(() => isRunning(pid()), { timeout: 30_000 }).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function hasSetpriv(): boolean {
  try {
    execFileSync("setpriv", ["--pdeathsig", "KILL", "true"]);
    return true;
  } catch {
    return false;
  }
}
