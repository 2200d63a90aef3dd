export { BytePump, type Passage } from "./byte-pump.ts";
export { arePaid, type CallLife, type Outcome, outcomeOf, owedOf } from "./call-life.ts";
export { CallUnderWay } from "./call-under-way.ts";
export { proxyFor } from "./proxies.ts";
export { readAnswer, type UpstreamRequest } from "./upstream.ts";
