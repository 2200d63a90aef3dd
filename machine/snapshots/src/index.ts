export type { Author } from "./attribution.ts";
export {
  type AttributedChange,
  type MoveResult,
  type Settlement,
  Snapshots,
  type SnapshotsOptions,
} from "./snapshots.ts";
export { SnapshotsUnavailable } from "./store.ts";
