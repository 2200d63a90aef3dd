export { asciicastOf } from "./asciicast.ts";
export { Terminals } from "./terminals.ts";
export type { ViewerSocket } from "./viewer.ts";
