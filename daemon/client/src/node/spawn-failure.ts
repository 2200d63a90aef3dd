/** The daemon's program could not be started, or it ended before it listened. */
export class SpawnFailure extends Error {
  override readonly name = "SpawnFailure";
}
