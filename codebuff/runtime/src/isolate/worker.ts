import { parentPort, workerData } from "node:worker_threads";
import type { IsolateAnswer, IsolateStart } from "./limits.ts";
import { openQuickJsSteps } from "./quickjs-steps.ts";

// A thread of its own: native loops of the language (indexOf over a huge length) look at no clock, only a thread can be ended.
const resume = await openQuickJsSteps(workerData as IsolateStart);
const send = (answer: IsolateAnswer) => parentPort?.postMessage(answer);
parentPort?.on("message", (reply: string | undefined) => send(resume(reply)));
send({ type: "ready" });
