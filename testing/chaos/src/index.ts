export { type Act, type HostileAgent, hostileAgents, hostileProgram } from "./hostile-agents.ts";
export { cutAnywhere, type HostileBytes, hostileBytes } from "./hostile-bytes.ts";
export { InputWatch } from "./input-watch.ts";
export { isDue, isLong, type Row, random, seed, tell } from "./run.ts";
