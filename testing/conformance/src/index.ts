export { type AdapterContractOptions, type AdapterPromise, adapterContract } from "./adapter-contract.ts";
export { checkInvariants } from "./check-invariants.ts";
export { type Answered, DaemonApi } from "./daemon-api/api.ts";
export { Conversation, converse, type TurnRecord } from "./daemon-api/conversation.ts";
export { type DaemonUnderTest, daemonApiSuite, type RunningDaemon } from "./daemon-api/suite.ts";
export { backgroundCalls, essenceOf } from "./essence.ts";
export type { CheckOptions, Violation } from "./violation.ts";
