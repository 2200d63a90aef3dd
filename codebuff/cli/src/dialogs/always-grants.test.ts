import { expect, it } from "vitest";
import { sessionGrant } from "./always-grants.ts";

const asked = { toolCallId: "1", action: "execute", title: "Run it" };
const part = (key: string) => ({ key, text: key, reason: "not known to be read-only" });

it.each([
  ["programs", [part("npm test"), part("touch")], "npm test, touch"],
  ["one program twice", [part("touch"), part("touch")], "touch"],
  ["an empty key", [part(""), part("node -e")], ""],
  ["a number", [part("node -e"), part("2")], ""],
])("a grant of %s names each once, or nothing", (_, parts, grant) => {
  expect(sessionGrant({ ...asked, parts })).toBe(grant);
});
