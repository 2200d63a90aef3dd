import { z } from "zod";
import { causes } from "./causes.ts";

export type Cause = keyof typeof causes;
export const Cause = z
  .enum(Object.keys(causes) as [Cause, ...Cause[]])
  .describe("Why a turn did not complete; docs/problems.md lists the causes");
