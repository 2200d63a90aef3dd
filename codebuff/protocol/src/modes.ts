import { z } from "zod";

export const CostMode = z.enum(["free", "normal", "max", "ask", "experimental"]);
export type CostMode = z.infer<typeof CostMode>;

export const ModeName = z.enum(["DEFAULT", "FREE", "MAX", "PLAN"]);
export type ModeName = z.infer<typeof ModeName>;

export interface Mode {
  /** Undefined leaves the choice to the cost mode. */
  readonly agent: string | undefined;
  /** What the runtime is told; undefined means its fallback. */
  readonly costMode: CostMode | undefined;
  /** What the server is told. */
  readonly billedAs: CostMode;
  readonly writes: "allowed" | "denied";
}

export const modes: Readonly<Record<ModeName, Mode>> = {
  DEFAULT: { agent: undefined, costMode: undefined, billedAs: "normal", writes: "allowed" },
  FREE: { agent: undefined, costMode: "free", billedAs: "free", writes: "allowed" },
  MAX: { agent: undefined, costMode: "max", billedAs: "max", writes: "allowed" },
  PLAN: { agent: "base2-plan", costMode: "normal", billedAs: "normal", writes: "denied" },
};

const agentByCostMode: Readonly<Record<CostMode, string>> = {
  free: "base-free",
  normal: "base",
  max: "base-max",
  ask: "ask",
  experimental: "base2",
};

/** A given agent id wins; without one the cost mode decides, and without that it is base2. */
export function rootAgentId(choice: { agent?: string | undefined; costMode?: string | undefined }): string {
  if (choice.agent !== undefined) return choice.agent;
  const costMode = CostMode.safeParse(choice.costMode);
  return costMode.success ? agentByCostMode[costMode.data] : "base2";
}
