/** code → status and title. */
export type ProblemRows = Readonly<Record<string, readonly [status: number, title: string]>>;
