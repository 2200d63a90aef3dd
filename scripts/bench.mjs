/** `npm run bench`: prepares the clone and measures the build; arguments after `--` go to the bench. */
import { prepare } from "./prepare.mjs";

prepare();
const { main } = await import("../bench/main.mjs");
process.exitCode = await main(process.argv.slice(2));
