/** A daemon with one session whose agent sends as many events as it is asked for. */
import { startDaemon, turnEnded } from "../daemon.mjs";
import { openReaders } from "../readers.mjs";

export async function startTalk(build) {
  const daemon = await startDaemon({ build });
  await daemon.create("talk");
  return {
    daemon,
    path: "/sessions/talk/events/sse",
    async burst({ events, readers }) {
      const path = await daemon.streamPath("talk");
      const open = await openReaders({ port: daemon.port, path, readers, until: turnEnded });
      const started = performance.now();
      await daemon.send("talk", `burst ${events}`);
      const { frames } = await open.done;
      const ms = performance.now() - started;
      await open.close();
      return { frames, ms, last: (await daemon.session("talk")).lastSequence };
    },
    close: () => daemon.stop(),
  };
}
