export const sessionViews = ["chat", "changes", "timeline", "files", "events", "pictures"] as const;
type SessionView = (typeof sessionViews)[number];

export type Route =
  | { page: "sessions" }
  | { page: "new" }
  | { page: "agents" }
  | { page: "daemon" }
  /** `at`: the key of an entry, or the sequence of an event, that is to be seen. */
  | { page: "session"; sessionId: string; view: SessionView; at?: string };

/** `#/session/<id>/<view>?at=…` and the names of the other pages. */
export function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, id, view] = path.split("/");
  if (page === "session" && id !== undefined && id !== "") {
    const at = new URLSearchParams(query).get("at") ?? undefined;
    const isView = (sessionViews as readonly string[]).includes(view ?? "");
    return { page, sessionId: decode(id), view: isView ? (view as SessionView) : "chat", at };
  }
  if (page === "new" || page === "agents" || page === "daemon") return { page };
  return { page: "sessions" };
}

export function hashOf(route: Route): string {
  if (route.page !== "session") return route.page === "sessions" ? "#/" : `#/${route.page}`;
  const at = route.at === undefined ? "" : `?at=${encodeURIComponent(route.at)}`;
  return `#/session/${encodeURIComponent(route.sessionId)}/${route.view}${at}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded by us: the daemon will not know it either.
    return text;
  }
}
