export {
  type MoveResult,
  Snapshots,
  type SnapshotsOptions,
} from "./snapshots.ts";
export { SnapshotsUnavailable } from "./store.ts";
