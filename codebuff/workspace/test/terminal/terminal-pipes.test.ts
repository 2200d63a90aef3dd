import { describe } from "vitest";
import { terminalCases } from "./terminal-cases.ts";

describe("a terminal over pipes", () => terminalCases("pipes"));
