import type { TraceHeaders } from "@muster/telemetry";

/** Told of one request from its arrival to the end of its answer. */
export interface RequestWatch {
  /** By which the work of this request goes on with its trace. */
  readonly trace?: TraceHeaders | undefined;
  /** It asks for this operation, whose path is that of the table. */
  setOperation(id: string, path: string): void;
  /** Its answer begins. */
  begin(status: number): void;
  /** Its connection has taken the answer, or is gone. */
  end(): void;
}
