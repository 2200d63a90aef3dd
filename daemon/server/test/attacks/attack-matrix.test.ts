import { isLong, tell } from "@muster/chaos";
import { Conversation } from "@muster/conformance";
import { Problem } from "@muster/schema";
import { expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";
import { type RawAnswer, rawRequest } from "../raw-http.ts";
import { type AttackRequest, attackRequests, attackToken } from "./attack-requests.ts";

/** The short form asks at the root; `npm run chaos` under /v1 too. */
const prefixes = isLong ? ["", "/v1"] : [""];

it("every wrong request that the OpenAPI document gives is answered rightly and changes nothing", {
  timeout: 600_000,
}, async () => {
  const home = await DaemonHome.make({ args: ["--token", attackToken] });
  try {
    const daemon = await home.start();
    daemon.useToken(attackToken);
    const talk = await Conversation.open(daemon.api);
    await talk.say("echo before");
    const everything = async () => [await daemon.api.get("/sessions"), await daemon.api.log(talk.sessionId)];
    const before = await everything();
    const wrong: string[] = [];
    let tried = 0;
    const requests = attackRequests(talk.sessionId, prefixes);
    const attack = async () => {
      for (const request of requests) {
        tried++;
        const fault = await withoutHanging(rawRequest(daemon.api.baseUrl, request.bytes)).then(
          (answer) => faultOf(request, answer),
          (error: unknown) => String(error),
        );
        if (fault !== undefined) wrong.push(`${request.title}: ${request.bytes.slice(0, 120)} → ${fault}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, attack));
    tell({ fault: "requests of the attack matrix", tried, held: tried - wrong.length });
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(tried).toBeGreaterThan(2_000);
    expect(await everything()).toEqual(before);
    expect((await talk.say("echo after")).text).toBe("after");
    await talk.finish();
    expect(daemon.stderr).not.toContain('"level":"error"');
  } finally {
    await home.remove();
  }
});

/** A stream that should not have been opened has no end. */
async function withoutHanging(answer: Promise<RawAnswer>): Promise<RawAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no complete answer in 20 s")), 20_000);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function faultOf({ right }: AttackRequest, { status, head, body }: RawAnswer): string | undefined {
  if (!right.includes(status)) return `${status}, not ${right.join(" or ")}: ${body.slice(0, 200)}`;
  if (status < 400) return undefined;
  if (!head.includes("content-type: application/problem+json")) return `${status} without a problem document`;
  const problem = Problem.safeParse(JSON.parse(body));
  if (!problem.success || problem.data.status !== status || problem.data.detail === "") return `a bad problem: ${body}`;
  return undefined;
}
