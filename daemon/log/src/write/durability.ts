/** batch: published after the write, synced in groups. sync: published after the sync. none: never synced. */
export type Durability = "batch" | "sync" | "none";
