import { Keeper } from "./keeper.ts";

/** The keeper as this process: `<directory> <variable> <patience in ms>` behind the name of the program. */
export async function runKeeper(argv: readonly string[]): Promise<void> {
  const [directory = "", variable = "", patience = ""] = argv.slice(2);
  process.chdir(directory);
  const keeper = new Keeper({ socket: "keeper", variable, patienceMs: Number(patience) });
  // It outlives the terminal it was started from, and ends what it has when it is asked to end.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("SIGTERM", () => void keeper.leave(2_000));
  await keeper.listen();
}
