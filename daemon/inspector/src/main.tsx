import { messageOf } from "@muster/core";
import { render } from "preact";
import { App } from "./app.tsx";
import { enterWithTicket } from "./store/access.ts";
import { Daemon } from "./store/daemon.ts";
import { SessionList } from "./store/session-list.ts";

void start();

async function start(): Promise<void> {
  // A ticket that is no use does not matter to whoever has a key already.
  const refused = await enterWithTicket().then(
    () => "",
    (error: unknown) => messageOf(error),
  );
  // A link that is opened in this tab later brings another ticket.
  addEventListener("hashchange", () => location.hash.startsWith("#ticket=") && location.reload());
  const daemon = new Daemon();
  const list = new SessionList(daemon);
  const root = document.getElementById("root");
  if (root !== null) render(<App page={{ daemon, list }} refused={refused} />, root);
}
