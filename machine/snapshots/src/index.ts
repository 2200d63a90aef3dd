export {
  type CheckpointInfo,
  type MoveResult,
  type SnapshotDiff,
  Snapshots,
  type SnapshotsOptions,
} from "./snapshots.ts";
export { SnapshotsUnavailable } from "./store.ts";
