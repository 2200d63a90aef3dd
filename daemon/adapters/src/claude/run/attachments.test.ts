import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeDirectory } from "../../../test/host.ts";
import { FillingChannel } from "../../channel/filling-channel.ts";
import type { LineChannel } from "../../channel/line-channel.ts";
import type { ClaudeNative } from "../wire/native.ts";
import { withContent } from "./attachments.ts";

function listening(): { channel: LineChannel<ClaudeNative>; written: ClaudeNative[] } {
  const written: ClaudeNative[] = [];
  const pipe: LineChannel<ClaudeNative> = {
    open: () => {},
    pause: () => {},
    resume: () => {},
    write: async (lines) => void written.push(...lines),
    end: async () => {},
  };
  return { channel: new FillingChannel(pipe, withContent), written };
}

const prompt = (...files: { path: string; mime: string; filename?: string }[]): ClaudeNative => ({
  type: "user",
  message: {
    role: "user",
    content: [{ type: "text", text: "look" }, ...files.map((file) => ({ type: "attachment" as const, ...file }))],
  },
  parent_tool_use_id: null,
  uuid: "m1",
});

test("each kind of file becomes what Claude can read", async () => {
  const folder = makeDirectory();
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const { channel, written } = listening();
  await channel.write([
    prompt(
      { path: file("dot.png", "png"), mime: "image/png" },
      { path: file("paper.pdf", "pdf"), mime: "application/pdf", filename: "thesis.pdf" },
      { path: file("notes.txt", "some notes"), mime: "text/plain" },
      { path: file("huge.png", Buffer.alloc(4_000_000)), mime: "image/png" },
      { path: file("data.bin", "x"), mime: "application/octet-stream" },
      { path: join(folder, "gone.txt"), mime: "text/plain" },
    ),
  ]);
  const source = (mime: string, text: string) => ({
    type: "base64",
    media_type: mime,
    data: Buffer.from(text).toString("base64"),
  });
  expect(written).toMatchObject([
    {
      message: {
        content: [
          { type: "text", text: "look" },
          { type: "image", source: source("image/png", "png") },
          { type: "document", source: source("application/pdf", "pdf"), title: "thesis.pdf" },
          { type: "text", text: "Attached file notes.txt (text/plain):\nsome notes" },
          { type: "text", text: `Attached file huge.png (image/png): ${join(folder, "huge.png")}` },
          { type: "text", text: `Attached file data.bin (application/octet-stream): ${join(folder, "data.bin")}` },
          { type: "text", text: expect.stringContaining("no longer there") },
        ],
      },
    },
  ]);
});

test("an interrupt does not overtake a message whose files are still being read", async () => {
  const folder = makeDirectory();
  writeFileSync(join(folder, "big.png"), Buffer.alloc(3_000_000));
  const { channel, written } = listening();
  const interrupt = { type: "control_request", request_id: "1", request: { subtype: "interrupt" } };
  await Promise.all([
    channel.write([prompt({ path: join(folder, "big.png"), mime: "image/png" })]),
    channel.write([interrupt]),
  ]);
  expect(written.map(({ type }) => type)).toEqual(["user", "control_request"]);
});
