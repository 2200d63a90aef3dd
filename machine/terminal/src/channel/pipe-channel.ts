import { spawn } from "node:child_process";
import { signalGroup } from "@muster/node";
import { childEnd } from "../processes/child-end.ts";
import type { OpenChannel } from "./channel.ts";

export const openPipes: OpenChannel = (options) => {
  const child = spawn(options.file, [...options.arguments], {
    cwd: options.cwd,
    env: options.environment,
    // A process group of its own, so that an interrupt reaches the shell's children and nobody else.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    ...options.user,
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
  const write = (text: string | Buffer) => {
    if (open) child.stdin.write(text);
  };
  return {
    kind: "pipes",
    pid: child.pid ?? -1,
    write,
    type: write,
    interrupt: () => {
      // A group that ended in the meantime has its exit on the way.
      if (open) signalGroup(child.pid, "SIGINT");
    },
    endInput: () => false,
    resize: () => {},
    pause: () => {
      child.stdout.pause();
      child.stderr.pause();
    },
    resume: () => {
      child.stdout.resume();
      child.stderr.resume();
    },
    close,
  };
};
