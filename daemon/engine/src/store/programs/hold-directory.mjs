/** Takes a data directory and keeps it until it is killed; says `held <number>` or `refused: <why>`. */
import { layout } from "../../../dist/store/layout.js";
import { lockDirectory } from "../../../dist/store/writer-lock.js";

try {
  const { fence } = await lockDirectory(layout(process.argv[2]), () => {});
  process.stdout.write(`held ${fence.epoch}\n`);
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`refused: ${error.message}\n`);
}
