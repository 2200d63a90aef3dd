export { type Act, type HostileAgent, hostileAgents, hostileProgram } from "./hostile-agents.ts";
export { isLong, random, seed, tell } from "./run.ts";
