import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRequest } from "../request/read-request.ts";
import { loadScript } from "../script/load-script.ts";
import { Recording } from "./recording.ts";

const awkward = [
  "a\r\nb\r\n\r\n",
  "\uFEFFx",
  "\u2028\u2029\u0085",
  " lead",
  "trail \n ",
  "\t",
  "---\n...\n",
  "{{x}}",
  "\u0000\u0007",
  "",
  "🌍\n\n\n",
];

test.each(["yaml", "json"])("A recording survives its file to the character as %s", async (format) => {
  const folder = await mkdtemp(join(tmpdir(), "recording-"));
  const file = join(folder, `one.${format}`);
  const body = { messages: [{ role: "user", content: "hi" }] };
  const request = readRequest({ protocol: "chat", path: "/", headers: {}, body, bodyText: "{}" });
  const text = fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: "grapheme", maxLength: 200 }));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), async (bodies) => {
      const recording = new Recording(1_000_000);
      for (const said of bodies) recording.begin(request)({ status: 429, body: said });
      await recording.save(file);
      const { conversations } = await loadScript(file);
      const read = conversations.flatMap(({ turns }) => turns.map((turn) => "recorded" in turn && turn.recorded?.body));
      expect(read).toEqual(bodies);
    }),
    { numRuns: 150 },
  );
  await rm(folder, { recursive: true });
});
