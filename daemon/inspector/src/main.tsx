import { messageOf } from "@muster/core";
import { render } from "preact";
import { App } from "./app.tsx";
import { enterWithTicket } from "./store/access.ts";
import { Daemon } from "./store/daemon.ts";
import { Notices } from "./store/notices.ts";
import { SessionList } from "./store/session-list.ts";

void start();

async function start(): Promise<void> {
  const notices = new Notices();
  // A ticket that is no use does not matter to whoever has a key already.
  await enterWithTicket().catch((error: unknown) => notices.tell(messageOf(error), true));
  // A link that is opened in this tab later brings another ticket.
  addEventListener("hashchange", () => location.hash.startsWith("#ticket=") && location.reload());
  const daemon = new Daemon();
  const list = new SessionList(daemon);
  const root = document.getElementById("root");
  if (root !== null) render(<App page={{ daemon, list, notices }} />, root);
}
