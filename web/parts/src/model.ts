export { diffLines } from "./model/diff-lines.ts";
export { safePicture } from "./model/safe-text.ts";
export { age, bytes, count, dollars, duration } from "./model/wording.ts";
