/** What applies when neither the create body nor the adapter says otherwise. */
export const defaultLimits = { turnIdleMs: 300_000, toolIdleMs: 3_600_000, agentIdleMs: 600_000 } as const;
