export { type InlineOptions, inline } from "./inline.ts";
