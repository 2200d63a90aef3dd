import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { hashOf, type Route, routeOf } from "../model/route.ts";
import type { Daemon } from "./daemon.ts";
import type { SessionList } from "./session-list.ts";

/** What every part of the page may use. */
export interface Page {
  daemon: Daemon;
  list: SessionList;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error("There is no page around this component");
  return page;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const look = () => setRoute(routeOf(location.hash));
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return route;
}

export function go(route: Route): void {
  location.hash = hashOf(route);
}
