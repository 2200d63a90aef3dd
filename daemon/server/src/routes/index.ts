import { agentRoutes } from "./agents.ts";
import { controlRoutes } from "./control.ts";
import { credentialRoutes } from "./credentials.ts";
import { daemonRoutes } from "./daemon.ts";
import { eventRoutes } from "./events.ts";
import { fileRoutes } from "./files.ts";
import { messageRoutes } from "./messages.ts";
import { processRoutes } from "./processes.ts";
import { requestRoutes } from "./requests.ts";
import type { Routes } from "./route.ts";
import { sessionRoutes } from "./sessions.ts";
import { terminalRoutes } from "./terminals.ts";
import { ticketRoutes } from "./tickets.ts";
import { timeMachineRoutes } from "./time-machine.ts";
import { tokenRoutes } from "./tokens.ts";
import { uiRoutes } from "./ui.ts";

/**
 * operation → what happens: a value, or frames that go on. Everything around it (security, validation, failures) is the
 * same for all, and HTTP only one of the faces. `Routes` names the operation that has none.
 */
export const routes: Routes = {
  ...daemonRoutes,
  ...agentRoutes,
  ...sessionRoutes,
  ...messageRoutes,
  ...eventRoutes,
  ...requestRoutes,
  ...controlRoutes,
  ...timeMachineRoutes,
  ...uiRoutes,
  ...credentialRoutes,
  ...ticketRoutes,
  ...tokenRoutes,
  ...processRoutes,
  ...terminalRoutes,
  ...fileRoutes,
};
