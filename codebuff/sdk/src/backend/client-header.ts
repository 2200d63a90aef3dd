/** Tells the server that its plain error shape is understood. */
export const clientHeader = { "x-codebuff-client": "muster/0.1" } as const;
