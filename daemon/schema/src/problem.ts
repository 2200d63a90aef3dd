import { z } from "zod";
import { problems } from "./problems/index.ts";

export type ProblemCode = keyof typeof problems;
export const ProblemCode = z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]);

/** RFC 7807, with `code` for programs and further fields such as `sessionId` beside it. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: ProblemCode,
});
export type Problem = z.infer<typeof Problem>;
