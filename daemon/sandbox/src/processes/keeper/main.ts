import { runKeeper } from "./run-keeper.ts";

void runKeeper(process.argv);
