/** Lines that cannot be read any more. */
export interface Damage {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** The file in the log's directory that has the bytes; absent where there are none. */
  readonly keptAs?: string;
}
