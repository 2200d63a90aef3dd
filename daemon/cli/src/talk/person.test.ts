import { getEventListeners } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { personAt } from "./person.ts";

it("answers that came early are kept, and however many are asked nothing is left on the signal", async () => {
  const stdin = new PassThrough();
  const person = personAt({ stdin, stdout: new PassThrough(), onInterrupt: () => {} });
  const { signal } = new AbortController();
  stdin.write("one\ntwo\n");
  expect([await person.ask("› ", signal), await person.ask("› ", signal)]).toEqual(["one", "two"]);
  for (const line of ["three", "four", "five"]) {
    const asked = person.ask("› ", signal);
    stdin.write(`${line}\n`);
    expect(await asked).toBe(line);
  }
  expect(getEventListeners(signal, "abort")).toEqual([]);
  const last = person.ask("› ", signal);
  stdin.end();
  expect(await last).toBeUndefined();
  person.close();
});

it("an answer that is no longer needed is not waited for, and what comes then is for the next question", async () => {
  const stdin = new PassThrough();
  const person = personAt({ stdin, stdout: new PassThrough(), onInterrupt: () => {} });
  const stop = new AbortController();
  const asked = person.ask("› ", stop.signal);
  stop.abort();
  expect(await asked).toBeUndefined();
  stdin.write("late\n");
  expect(await person.ask("› ")).toBe("late");
  person.close();
});
