import { describe } from "vitest";
import { sameFailures } from "../same-failures.ts";

describe("amp", () => sameFailures("amp"));
