import type { InstallProgress } from "@muster/engine";
import { type FrameSource, PushedFrames } from "@muster/http";
import { Failure, type InstalledAgent } from "@muster/schema/wire";

/** An install as frames: `progress` events, then one `installed` or one `problem`. It goes on when nobody reads. */
export function installFrames(
  install: (progress: (step: InstallProgress) => void) => Promise<InstalledAgent>,
): FrameSource {
  const frames = new PushedFrames();
  const push = (event: string, data: unknown) => frames.push({ event, data: JSON.stringify(data) });
  install((step) => push("progress", step)).then(
    (installed) => {
      push("installed", installed);
      frames.end();
    },
    (error: unknown) => {
      if (error instanceof Failure) push("problem", error.toProblem());
      frames.end(error instanceof Failure ? undefined : error);
    },
  );
  return frames;
}
