import { useObservable } from "@muster/web-parts";
import { AgentsPage } from "./agents/agents-page.tsx";
import { DaemonPage } from "./daemon/daemon-page.tsx";
import { LockScreen } from "./lock-screen.tsx";
import type { Route } from "./model/route.ts";
import { CreateForm } from "./sessions/create-form.tsx";
import { SessionPage } from "./sessions/session-page.tsx";
import { Sidebar } from "./sidebar.tsx";
import { type Page, PageContext, useRoute } from "./store/page.tsx";

/** The whole page: the list of sessions at the left, what was chosen at the right; on a phone one of the two. */
export function App({ page, refused }: { page: Page; refused: string }) {
  useObservable(page.daemon);
  const route = useRoute();
  if (page.daemon.isLocked) {
    return <LockScreen refused={refused} />;
  }
  return (
    <PageContext.Provider value={page}>
      <SkipLink />
      <div class="app" data-page={route.page}>
        <Sidebar route={route} />
        {drawRoute(route)}
      </div>
    </PageContext.Provider>
  );
}

/** The first thing Tab comes to: past the list, however long it is. */
function SkipLink() {
  return (
    <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
      Skip to the content
    </button>
  );
}

function drawRoute(route: Route) {
  switch (route.page) {
    case "session":
      return <SessionPage route={route} />;
    case "new":
      return <CreateForm />;
    case "agents":
      return <AgentsPage />;
    case "daemon":
      return <DaemonPage />;
    case "sessions":
      return (
        <main class="main" id="main" tabIndex={-1}>
          <div class="empty">
            <h1>Muster</h1>
            <p>
              Choose a session, or create one. <kbd>n</kbd> makes a new one, <kbd>/</kbd> finds one, <kbd>?</kbd> tells
              all keys.
            </p>
            <a class="button primary" href="#/new">
              New session
            </a>
          </div>
        </main>
      );
  }
}
