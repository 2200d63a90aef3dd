import { askPermission } from "./permission-program.ts";

// No await at the top: it is in the bundle too, which is CommonJS.
void askPermission(process.env, process.stdin).then((code) => process.exit(code));
