export { retry } from "./retry.ts";
