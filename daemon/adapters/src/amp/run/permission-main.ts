import { askPermission } from "./permission-program.ts";

process.exit(await askPermission(process.env, process.stdin));
