import type { ProblemRows } from "./problem-row.ts";

export const agentProblems = {
  agent_unhealthy: [422, "The agent cannot be started"],
  credentials_required: [422, "The session's secrets were lost with a restart"],
  unsupported_agent_version: [422, "The agent has a version that is not driven"],
  install_failed: [424, "The agent could not be installed"],
} as const satisfies ProblemRows;
