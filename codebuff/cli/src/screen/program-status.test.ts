import { expect, it } from "vitest";
import { ProgramStatus } from "./program-status.ts";

function reported() {
  const written: string[] = [];
  return { status: new ProgramStatus((text) => written.push(text)), written };
}
const message = (text: string) => Buffer.from(text).toString("base64");

it("tells a terminal that has not answered nothing but the question", () => {
  const { status, written } = reported();
  status.ask();
  status.tell({ state: "working" });
  status.close();
  expect(written).toEqual(["\u001b]7501;?\u001b\\"]);
});

it("tells one that has answered each change once, and takes it back at the end", () => {
  const { status, written } = reported();
  status.tell({ state: "idle" });
  expect(status.onReport("\u001b]11;rgb:0/0/0\u0007")).toBe(false);
  expect(status.onReport("\u001b]7501;?\u001b\\")).toBe(true);
  status.tell({ state: "working", message: "fix the test" });
  status.tell({ state: "working", message: "fix the test" });
  status.tell({ state: "blocked", kind: "permission", message: "Run\n npm test\u001b[2J?" });
  status.close();
  expect(written).toEqual([
    "\u001b]7501;state=idle:app=codebuff\u001b\\",
    `\u001b]7501;state=working:app=codebuff:msg=${message("fix the test")}\u001b\\`,
    `\u001b]7501;state=blocked:app=codebuff:kind=permission:msg=${message("Run npm test?")}\u001b\\`,
    "\u001b]7501;state=clear\u001b\\",
  ]);
});

it("keeps to the limits of the protocol, and cuts no character in two", () => {
  const { status, written } = reported();
  status.onReport("\u001b]7501;?\u0007");
  status.tell({ state: "done", message: "ä🙂".repeat(500) });
  const [, encoded = ""] = /msg=([A-Za-z0-9+/=]+)/.exec(written.at(-1) ?? "") ?? [];
  expect(Buffer.from(encoded, "base64").toString()).toMatch(/^(?:ä🙂){10,}ä?$/);
  expect((written.at(-1) ?? "").length).toBeLessThan(4096);
});
