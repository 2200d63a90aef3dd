import type { Mode, Model } from "@muster/schema";

export const defaultModel = "mock-small";

export const models: Model[] = [
  { id: defaultModel, name: "Mock Small", provider: "mock", default: true, contextWindow: 100_000 },
  {
    id: "mock-large",
    name: "Mock Large",
    provider: "mock",
    variants: ["low", "medium", "high"],
    contextWindow: 200_000,
  },
];

export const modes: Mode[] = [
  { id: "build", name: "Build", description: "Does what it is told", default: true },
  { id: "plan", name: "Plan", description: "Asks for approval of a plan before it follows it" },
];
