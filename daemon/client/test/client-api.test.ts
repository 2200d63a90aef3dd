import { clientApiSuite } from "@muster/conformance";
import { describe } from "vitest";
import { inThisProcess, overHttp } from "./client-world.ts";

describe("TypeScript over HTTP", () => clientApiSuite(overHttp, { network: true }));
describe("TypeScript in the same process", () => clientApiSuite(inThisProcess, { network: false }));
