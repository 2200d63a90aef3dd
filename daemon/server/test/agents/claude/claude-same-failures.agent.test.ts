import { describe } from "vitest";
import { sameFailures } from "../same-failures.ts";

describe("claude", () => sameFailures("claude"));
