import { Icon } from "@muster/web-parts";
import { isDark, switchTheme } from "@muster/web-parts/theme";
import { useEffect, useState } from "preact/hooks";
import type { Route } from "./model/route.ts";
import { SessionListView } from "./sessions/session-list-view.tsx";
import { go } from "./store/page.tsx";

/** The way to everything. */
export function Sidebar({ route }: { route: Route }) {
  const [dark, setDark] = useState(isDark);
  useShortcuts();
  const current = (page: Route["page"]) => (route.page === page ? "page" : undefined);
  return (
    <aside class="sidebar" aria-label="Sessions and pages">
      <div class="brand">
        <a href="#/" class="name">
          Muster
        </a>
        <span class="gap" />
        <button
          type="button"
          class="quiet"
          aria-label={dark ? "Light colours" : "Dark colours"}
          title={dark ? "Light colours" : "Dark colours"}
          onClick={() => setDark(switchTheme())}
        >
          <Icon name={dark ? "light" : "dark"} />
        </button>
      </div>
      <SessionListView current={route.page === "session" ? route.sessionId : undefined} />
      <nav class="pages" aria-label="Pages">
        <a href="#/agents" aria-current={current("agents")}>
          <Icon name="agent" /> Agents
        </a>
        <a href="#/daemon" aria-current={current("daemon")}>
          <Icon name="daemon" /> Daemon
        </a>
      </nav>
    </aside>
  );
}

/** n: a new session; /: find one; c: write a message. Not while something is written. */
function useShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isWriting = target instanceof HTMLElement && target.matches("input, textarea, select, dialog *");
      if (isWriting || ctrlKey || metaKey || altKey) return;
      if (key === "n" && document.querySelector(".dock") === null) go({ page: "new" });
      const wanted = { "/": ".sessions input", c: ".composer textarea" }[key];
      const field = wanted === undefined ? null : document.querySelector<HTMLElement>(wanted);
      if (field === null) return;
      event.preventDefault();
      field.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
