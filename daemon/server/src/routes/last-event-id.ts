import { Failure } from "@muster/schema/wire";
import type { RouteHeaders } from "./route.ts";

/** Where a client that comes back goes on; undefined for one that comes for the first time. */
export function lastEventId(headers: RouteHeaders): number | undefined {
  const id = headers["last-event-id"];
  if (typeof id !== "string" || id === "") return undefined;
  if (/^\d+$/.test(id)) return Number(id);
  throw new Failure("invalid_request", `Last-Event-ID is a number, not ${id}`);
}
