/** From nothing to the first answer. */
import { startDaemon } from "../daemon.mjs";
import { keepAlive } from "../keep-alive.mjs";
import { cpuSeconds, removeFolder } from "../processes.mjs";

const cpu = "start: CPU until the first answer of /health";
const time = "start: spawn → first answer of /health";
export const units = { [cpu]: "ms", [time]: "ms" };

export async function open(build) {
  return {
    async measure() {
      const daemon = await startDaemon({ build });
      const connection = await keepAlive(daemon.port);
      await connection.ask("GET", "/health");
      const ms = performance.now() - daemon.started;
      const seconds = await cpuSeconds(daemon.pid);
      connection.close();
      await daemon.stop();
      await removeFolder(daemon.data);
      return { [cpu]: 1_000 * seconds, [time]: ms };
    },
    close: async () => {},
  };
}
