import { expect, test } from "vitest";
import { errorOutput, outputError, ToolOutput } from "./tool-output.ts";

test("the error of an output is the errorMessage of its first failed part", () => {
  expect(outputError(errorOutput("no such file"))).toBe("no such file");
  expect(outputError([{ type: "media", data: "", mediaType: "image/png" }, ...errorOutput("late")])).toBe("late");
  expect(outputError([{ type: "json", value: { message: "fine" } }])).toBeUndefined();
  expect(outputError([{ type: "json", value: "text" }])).toBeUndefined();
});

test("a part of another kind is refused", () => {
  expect(ToolOutput.safeParse([{ type: "text", text: "x" }]).success).toBe(false);
});
