import { hostileBytes, InputWatch, isLong, random } from "@muster/chaos";
import { expect, it } from "vitest";
import { isRequest, isResponse, isRpcMessage, PendingCalls, type RpcMessage, refusal } from "./json-rpc.ts";

const inputs = isLong ? 1_000_000 : 10_000;
const values = [
  "null",
  "0",
  "1",
  '"c1"',
  '"c2"',
  "{}",
  "[]",
  "true",
  '{"code":1,"message":"no"}',
  '{"message":5}',
  '""',
];
const fields = ['"id":', '"method":', '"params":', '"result":', '"error":', '"jsonrpc":', '"__proto__":'];
const words = [...fields, ...values, "{", "}", ","];

it("whatever a line says, every call is settled once or still waits, and nothing is thrown", {
  timeout: 1_800_000,
}, async () => {
  const next = random();
  const pick = (from: readonly string[]) => from[Math.floor(next() * from.length)] ?? "";
  const watch = new InputWatch("lines for the reader of JSON-RPC");
  let understood = 0;
  for (let n = 0; n < inputs; n++) {
    // Half of them objects with fields that mean something, half of them bytes.
    const isObject = next() < 0.5;
    const text = isObject
      ? `{${Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick(fields) + pick(values)).join(",")}}`
      : hostileBytes(next, { words }).toString();
    const begun = performance.now();
    const message = parse(text);
    if (isRpcMessage(message)) {
      understood++;
      if (!(await answered(message))) expect.fail(`input ${n}: ${text}`);
    }
    watch.read(performance.now() - begun, () => text);
  }
  expect(understood).toBeGreaterThan(inputs / 50);
  watch.tell({ understood });
});

/** As a channel does with a message: a response settles a call, a request is refused, a notification is taken. */
async function answered(message: RpcMessage): Promise<boolean> {
  if (isRequest(message)) return JSON.stringify(refusal(message.id, message.method)).length > 0;
  if (!isResponse(message)) return typeof message.method === "string";
  const calls = new PendingCalls("c");
  const { request, result } = calls.begin("ask", {}, 60_000);
  const settled = result.then(
    () => "settled",
    () => "settled",
  );
  const isOurs = calls.settle(message);
  if (!isOurs) calls.failAll(new Error("gone"));
  return isOurs === (message.id === request.id) && (await settled) === "settled";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
