import { z } from "zod";
import { type ProblemCode as Code, type Problem as Document, problems } from "./problems/index.ts";

export type ProblemCode = Code;
export const ProblemCode = z
  .enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]])
  .describe("What went wrong, for programs; docs/problems.md lists the codes");

export const Problem = z
  .looseObject({
    type: z.string().describe("An address that names the kind of problem"),
    title: z.string().describe("The kind of problem in words, the same each time"),
    status: z.int().describe("The HTTP status"),
    detail: z.string().describe("What happened this time, with names"),
    code: ProblemCode,
  })
  .describe(
    "A request that was refused or failed, as RFC 7807 has it; further fields such as sessionId may stand beside",
  );
export type Problem = Document;
