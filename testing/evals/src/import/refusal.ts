/** A task of another format that was written as a folder of ours, and why it cannot be run as it is. */
export interface Imported {
  readonly id: string;
  readonly folder: string;
  /** Empty: it can be run here. */
  readonly cannotRun: readonly string[];
}

/** A row or a folder that is no task of that format. */
export class ImportError extends Error {}
