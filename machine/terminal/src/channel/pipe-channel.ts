import { spawn } from "node:child_process";
import { childEnd } from "../processes/child-end.ts";
import type { OpenChannel } from "./channel.ts";

export const openPipes: OpenChannel = (options) => {
  const child = spawn(options.file, [...options.arguments], {
    cwd: options.cwd,
    env: options.environment,
    // A process group of its own, so that an interrupt reaches the shell's children and nobody else.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let open = true;
  const close = () => {
    open = false;
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  };
  void childEnd(child).then((exitCode) => {
    if (!open) return;
    close();
    options.onExit(exitCode);
  });
  child.stdin.on("error", () => {});
  child.stdout.on("data", (bytes: Buffer) => options.onData(bytes));
  child.stderr.on("data", (bytes: Buffer) => options.onData(bytes));
  const write = (text: string) => {
    if (open) child.stdin.write(text);
  };
  return {
    kind: "pipes",
    pid: child.pid ?? -1,
    write,
    type: write,
    interrupt: () => {
      if (!open || child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGINT");
      } catch {
        // The group ended in the meantime; its exit is on the way.
      }
    },
    endInput: () => false,
    resize: () => {},
    close,
  };
};
