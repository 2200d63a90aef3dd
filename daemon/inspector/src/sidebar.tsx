import { Icon } from "@muster/web-parts";
import { isDark, switchTheme } from "@muster/web-parts/theme";
import { useState } from "preact/hooks";
import { KeysDialog, useKeys } from "./keys.tsx";
import type { Route } from "./model/route.ts";
import { SessionListView } from "./sessions/session-list-view.tsx";

/** The way to everything. */
export function Sidebar({ route }: { route: Route }) {
  const [dark, setDark] = useState(isDark);
  const [asksKeys, askKeys] = useState(false);
  useKeys(() => askKeys(true));
  const current = (page: Route["page"]) => (route.page === page ? "page" : undefined);
  return (
    <aside class="sidebar" aria-label="Sessions and pages">
      <div class="brand">
        <a href="#/" class="name">
          Muster
        </a>
        <span class="gap" />
        <button type="button" class="quiet" aria-label="Keys" title="Keys (?)" onClick={() => askKeys(true)}>
          <kbd>?</kbd>
        </button>
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
      {asksKeys && <KeysDialog onClose={() => askKeys(false)} />}
    </aside>
  );
}
