import fc from "fast-check";
import { expect, it } from "vitest";
import { sessionFolder } from "./session-folder.ts";

const sessionId = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/);

it("gives no two ids one folder, also where the disk ignores case", () => {
  fc.assert(
    fc.property(sessionId, sessionId, (left, right) => {
      fc.pre(left !== right);
      expect(sessionFolder(left).toLowerCase()).not.toBe(sessionFolder(right).toLowerCase());
    }),
    { numRuns: 2_000 },
  );
});

it("gives names any disk takes", () => {
  expect(sessionFolder("My-Session.1")).toBe("=my-=session.1");
  expect(sessionFolder("A".repeat(128)).length).toBeLessThanOrEqual(120);
});
