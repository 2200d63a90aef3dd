import { sum } from "./sum.mjs";

if (sum(1, 2) !== 3) throw new Error(`1 and 2 make ${sum(1, 2)}`);
