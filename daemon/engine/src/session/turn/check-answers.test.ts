import type { Question, QuestionRequested } from "@muster/schema";
import { describe, expect, it } from "vitest";
import { checkAnswers } from "./check-answers.ts";

const colour: Question = {
  id: "colour",
  question: "Which?",
  type: "string",
  options: [
    { id: "r", label: "Red" },
    { id: "b", label: "Blue" },
  ],
  multiSelect: false,
  allowCustom: false,
};

function asked(question: Partial<Question> = {}, kind: QuestionRequested["kind"] = "question"): QuestionRequested {
  return { questionId: "question_1", kind, questions: [{ ...colour, ...question }] };
}

describe("checkAnswers", () => {
  it("takes labels and ids and gives labels", () => {
    expect(checkAnswers(asked(), [["Red"]])).toEqual([["Red"]]);
    expect(checkAnswers(asked(), [["b"]])).toEqual([["Blue"]]);
    expect(checkAnswers(asked({ multiSelect: true }), [["b", "Red"]])).toEqual([["Blue", "Red"]]);
  });

  it("lets a question be unanswered, with an empty answer or with fewer answers than questions", () => {
    expect(checkAnswers(asked(), [[]])).toEqual([[]]);
    expect(checkAnswers(asked(), [])).toEqual([[]]);
  });

  it("gives the ids of a plan approval, and takes feedback beside them", () => {
    const plan = asked(
      {
        options: [
          { id: "approve", label: "Yes" },
          { id: "reject", label: "No" },
        ],
        allowCustom: true,
      },
      "plan_approval",
    );
    expect(checkAnswers(plan, [["Yes"]])).toEqual([["approve"]]);
    expect(checkAnswers(plan, [["reject", "use tabs"]])).toEqual([["reject", "use tabs"]]);
  });

  it.each([
    ["too many answers", asked(), [["Red"], ["Blue"]], "1 questions were asked"],
    ["no answer to a plan", asked({}, "plan_approval"), [[]], "has no answer"],
    ["two answers where one is wanted", asked(), [["Red", "Blue"]], "takes one answer"],
    ["own text where none is allowed", asked(), [["Green"]], "takes one of: Red, Blue"],
    [
      "a word where a number is wanted",
      asked({ type: "number", options: [], allowCustom: true }),
      [["many"]],
      "takes a number",
    ],
    [
      "a word where a boolean is wanted",
      asked({ type: "boolean", options: [], allowCustom: true }),
      [["maybe"]],
      "true or false",
    ],
  ])("refuses %s", (_, request, answers, message) => {
    expect(() => checkAnswers(request, answers)).toThrow(message);
  });
});
