import type { Adapter } from "@muster/adapters";
import { Counters } from "../counters.ts";
import type { EventLog, RawLog } from "../event-log/index.ts";
import type { Fold } from "../fold.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { ActiveFile } from "../store/active-file.ts";
import type { SessionFile } from "../store/session-file.ts";
import { Deliveries } from "./delivery/deliveries.ts";
import { SignalReception } from "./intake/signal-reception.ts";
import { Admission } from "./life/admission.ts";
import { AgentOpener } from "./life/agent-opener.ts";
import { Lives } from "./life/lives.ts";
import { OngoingWork } from "./life/ongoing-work.ts";
import { ModelRequests } from "./model-requests.ts";
import type { SessionServices } from "./session-services.ts";
import { SessionSnapshots } from "./snapshots/session-snapshots.ts";
import { CurrentLife } from "./state/agent-life.ts";
import { Journal } from "./state/journal.ts";
import { RecoveryState } from "./state/recovery-state.ts";
import { RequestJournal } from "./state/request-journal.ts";
import { SessionSettings } from "./state/session-settings.ts";
import { Rewinds } from "./time-machine/rewinds.ts";
import { SessionFiles } from "./time-machine/session-files.ts";
import { Messages } from "./turn/messages.ts";
import { OpenItems } from "./turn/open-items.ts";
import { Requests } from "./turn/requests.ts";
import { TurnClock } from "./turn/turn-clock.ts";
import { TurnSpan } from "./turn/turn-span.ts";
import { Turns } from "./turn/turns.ts";

export interface SessionOrigin {
  services: SessionServices;
  adapter: Adapter;
  file: SessionFile;
  log: EventLog;
  raw: RawLog | undefined;
  state: Fold;
  /** Absent after a restart: what was secret is lost. */
  secrets?: Secrets;
  /** It was open when the last daemon died. */
  wasActive?: boolean;
  /** Its queue waits for `resumeQueue`. */
  isHeld?: boolean;
}

/** What the face of a session works with. */
export type SessionParts = ReturnType<typeof connectParts>;

/** The parts of a session in layers: each knows only those made before it. What goes up goes as an event, to `react` of all. */
export function connectParts(origin: SessionOrigin) {
  const { services, adapter, file, log, raw, state, secrets, wasActive = false, isHeld = false } = origin;
  const { sessionId } = file;
  const { layout, host, redactor: daemonRedactor } = services;
  const path = layout.sessionFile(sessionId);
  const work = new OngoingWork(services.log, { sessionId });
  const admission = new Admission(sessionId, log);
  const settings = new SessionSettings({ path, adapter, file, secrets, daemonRedactor });
  const counters = new Counters(services.meter, adapter.id);
  const journal = new Journal(log, state, { counters, feed: services.feed });
  const current = new CurrentLife();
  const items = new OpenItems(journal);
  const requests = new Requests(journal, current, settings);
  const turns = new Turns(journal, items, requests);
  const messages = new Messages(journal);
  const clock = new TurnClock();
  const [provider, ...others] = adapter.credentials.providers;
  const traced = { sessionId, agent: adapter.id, provider: others.length === 0 ? provider : undefined };
  const span = new TurnSpan(services.tracer, traced);
  const active = new ActiveFile(layout.activeFile(sessionId), sessionId, wasActive);
  const checkpointed = file.checkpoint?.sequence ?? 0;
  const recoveryState = new RecoveryState({ active, settings, journal, current, checkpointed });
  const reception = new SignalReception({ journal, raw, settings, items, requests, turns, messages, clock });
  const { learnSecrets, prepareGateway } = services;
  const opener = new AgentOpener({ learnSecrets, prepareGateway, adapter, host, settings, journal, admission });
  const requestJournal = new RequestJournal(journal, { span, counters });
  const ending = { admission, recoveryState, work, requestJournal };
  const lives = new Lives({ adapter, opener, reception, current, settings, journal, turns, ...ending });
  const { histories } = services;
  const snapshots = new SessionSnapshots({ sessionId, directory: file.settings.directory, histories, journal, work });
  const attachments = { folder: layout.attachments(sessionId), user: host.user };
  const given = { adapter, settings, journal, messages, turns, lives, current, attachments, span, snapshots };
  const deliveries = new Deliveries({ ...given, ...ending, isHeld });
  const modelRequests = new ModelRequests({ settings, journal, requestJournal, turns, current, lives, work });
  const files = new SessionFiles({ sessionId, state: journal.state, snapshots, histories });
  const machine = { adapter, host, settings, journal, current, lives, deliveries, files, ...ending };
  const rewinds = new Rewinds(machine);
  const talk = { items, requests, turns, messages, clock, span };
  const parts = { log: services.log, raw, counters, settings, journal, current, ...talk, ...ending };
  return { ...parts, lives, deliveries, modelRequests, snapshots, files, rewinds };
}
