/** A call as an agent knows it: JSON input, or free text for a custom tool. */
export interface NativeCall {
  readonly name: string;
  readonly input?: Record<string, unknown>;
  readonly text?: string;
  readonly namespace?: string;
}
