import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("./programs/erase-and-wait.mjs", import.meta.url));

test.runIf(process.platform === "linux")(
  "a variable that is erased is in no environment any more, neither for the process nor for others",
  async () => {
    const env = { PATH: process.env.PATH ?? "", FIRST: "1", SECRET: "s".repeat(5_000), OTHER: "o", LAST: "9" };
    const child = spawn(process.execPath, [program, "SECRET", "OTHER"], { env, stdio: ["pipe", "pipe", "inherit"] });
    const [told] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const shown = readFileSync(`/proc/${child.pid}/environ`, "latin1").split("\0").filter(Boolean);
    child.stdin.end();
    await once(child, "close");
    expect(JSON.parse(told)).toEqual({ isErased: true, left: ["FIRST", "LAST", "PATH"] });
    expect(shown.map((entry) => entry.split("=", 1)[0]).sort()).toEqual(["FIRST", "LAST", "PATH"]);
  },
);
