// Erases the variables of its arguments, tells what is left, and waits until its input ends.
import { eraseVariables } from "@muster/node";

const isErased = eraseVariables(new Set(process.argv.slice(2)));
const left = Object.keys(process.env).sort();
process.stdout.write(JSON.stringify({ isErased, left }));
process.stdin.resume();
