import { expect, it } from "vitest";
import { loadPty } from "./pty-channel.ts";

it("all that a program wrote is read, also by a process that was busy when it ended", async (context) => {
  const open = await loadPty();
  if (open === null) return context.skip("there is no pseudo-terminal here");
  const lines = 2_000;
  const size = `line 0001 ${".".repeat(40)}\r\n`.length * lines;
  let text = "";
  const exitCode = await new Promise<number>((resolve) => {
    open({
      file: "/bin/sh",
      arguments: [
        "-c",
        `i=1000; while [ $i -lt ${lines + 1000} ]; do i=$((i + 1)); echo "line $i ${".".repeat(40)}"; done; exit 3`,
      ],
      cwd: "/",
      environment: { PATH: process.env.PATH ?? "" },
      size: { columns: 80, rows: 24 },
      onData(bytes) {
        text += bytes;
        // Busy at each of the last pieces, longer than the terminal's own patience after an end.
        if (text.length > size - 12_000) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      },
      onExit: resolve,
    });
  });
  expect(exitCode).toBe(3);
  expect(text.length).toBe(size);
  expect(text.endsWith(`line ${lines + 1000} ${".".repeat(40)}\r\n`)).toBe(true);
});
