/** The wall of the lane `unit`: what starts a process or opens a port there fails, and says which lane it is of. */
import childProcess, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { Server } from "node:net";

const refuse = (what: string) => () => {
  throw new Error(`A test of the lane unit ${what}. scripts/lanes.mjs must know the module that it used for it`);
};

const start = refuse("started a process");
Object.assign(ChildProcess.prototype, { spawn: start });
Object.assign(childProcess, { execFileSync: start, execSync: start, spawnSync: start });
Server.prototype.listen = refuse("opened a port");
syncBuiltinESMExports();
