/** Free mode is paid for by nobody, so it is open only for these agents with these models. */
const freeModels: Readonly<Record<string, readonly string[]>> = {
  "base-free": ["minimax/minimax-m2", "google/gemini-2.5-flash", "z-ai/glm-4.6"],
  "base2-free": ["minimax/minimax-m2", "google/gemini-2.5-flash", "z-ai/glm-4.6"],
};

/** The agent is the one of the run's row: what the request says about itself does not count. */
export function isFree(costMode: string | undefined, agentName: string, model: string): boolean {
  return costMode === "free" && (freeModels[agentName]?.includes(model) ?? false);
}
