export interface IsolateLimits {
  /** Memory of the foreign code, its copy of the agent's state included. */
  readonly memoryBytes: number;
  /** Time for one resume, from a reply to the next yield. */
  readonly resumeMs: number;
  /** What one yield may weigh as JSON. */
  readonly yieldCharacters: number;
}

export const defaultIsolateLimits: IsolateLimits = {
  memoryBytes: 64 << 20,
  resumeMs: 2_000,
  yieldCharacters: 8_000_000,
};

/** What the host sends: the input of the generator first, then a reply per yield. All as JSON text. */
export interface IsolateStart {
  readonly source: string;
  readonly input: string;
  readonly limits: IsolateLimits;
}

/** What comes back for each reply. */
export type IsolateAnswer =
  | { readonly type: "ready" }
  | { readonly type: "yield"; readonly value: string; readonly logs: readonly string[] }
  | { readonly type: "return"; readonly logs: readonly string[] }
  | { readonly type: "throw"; readonly message: string; readonly logs: readonly string[] };
