import type { Question } from "@muster/schema";
import { expect, it } from "vitest";
import { permissionReply, questionAnswer } from "./answers.ts";

const question = (more: Partial<Question> = {}): Question => ({
  id: "q",
  question: "?",
  type: "string",
  options: [
    { id: "approve", label: "Yes, do it" },
    { id: "reject", label: "No" },
  ],
  multiSelect: false,
  allowCustom: false,
  ...more,
});

it("a permission is answered with a letter, a word, or a no with its reason", () => {
  expect(["y", " YES ", "once"].map(permissionReply)).toEqual(Array(3).fill({ reply: "once" }));
  expect(["a", "always"].map(permissionReply)).toEqual(Array(2).fill({ reply: "always" }));
  expect(permissionReply("n")).toEqual({ reply: "reject", message: undefined });
  expect(permissionReply("no, use the other file")).toEqual({ reply: "reject", message: "use the other file" });
  expect(["", "maybe", "yesterday"].map(permissionReply)).toEqual([undefined, undefined, undefined]);
});

it("a question is answered by number, label or id, several where several may be, own words where those may be", () => {
  expect(["1", "yes, DO it", "approve"].map((line) => questionAnswer(line, question()))).toEqual(
    Array(3).fill(["Yes, do it"]),
  );
  expect(questionAnswer("3", question())).toBeUndefined();
  expect(questionAnswer("perhaps", question())).toBeUndefined();
  expect(questionAnswer("perhaps", question({ allowCustom: true }))).toEqual(["perhaps"]);
  expect(questionAnswer("free", question({ options: [] }))).toEqual(["free"]);
  expect(questionAnswer("2, 1", question({ multiSelect: true }))).toEqual(["No", "Yes, do it"]);
  expect(questionAnswer(" ", question())).toEqual([]);
});
