import { useObservable } from "@muster/web-parts";
import { AgentsPage } from "./agents/agents-page.tsx";
import { DaemonPage } from "./daemon/daemon-page.tsx";
import { LockScreen } from "./lock-screen.tsx";
import type { Route } from "./model/route.ts";
import { NoticeList } from "./parts/notice-list.tsx";
import { CreateForm } from "./sessions/create-form.tsx";
import { SessionPage } from "./sessions/session-page.tsx";
import { Sidebar } from "./sidebar.tsx";
import { type Page, PageContext, useRoute } from "./store/page.tsx";

/** The whole page: the list of sessions at the left, what was chosen at the right; on a phone one of the two. */
export function App({ page }: { page: Page }) {
  useObservable(page.daemon);
  const route = useRoute();
  if (page.daemon.isLocked) {
    return (
      <>
        <LockScreen />
        <NoticeList notices={page.notices} />
      </>
    );
  }
  return (
    <PageContext.Provider value={page}>
      <div class="app" data-page={route.page}>
        <Sidebar route={route} />
        {drawRoute(route)}
      </div>
      <NoticeList notices={page.notices} />
    </PageContext.Provider>
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
        <main class="main">
          <div class="empty">
            <h1>Muster</h1>
            <p>Choose a session, or create one. Press n for a new session, and / to find one.</p>
            <a class="button primary" href="#/new">
              New session
            </a>
          </div>
        </main>
      );
  }
}
