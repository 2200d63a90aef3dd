import { messageOf } from "@muster/core";
import type { ModelAccess, ModelAccessRequest, ModelGateway } from "@muster/schema";
import { Keys } from "./access/keys.ts";
import { MisuseLog } from "./access/misuse-log.ts";
import { Placeholders } from "./access/placeholders.ts";
import { SessionNames } from "./access/session-names.ts";
import { identityOf, isAgentsLogin, type UpstreamOptions, upstreamsFor } from "./access/upstreams.ts";
import { nanoUsdOf } from "./budget/admission.ts";
import { Budgets } from "./budget/budgets.ts";
import { Ledger } from "./budget/ledger.ts";
import { OpenRequests } from "./forward/open-requests.ts";
import { RequestHistory, type ShownRequest } from "./forward/request-history.ts";
import { handleRequest, loginPath, type RequestParts } from "./handle-request.ts";
import { listen } from "./listener.ts";
import type { GatewayLog } from "./log.ts";
import { InputEstimates } from "./meter/input-estimates.ts";
import type { GatewaySessions } from "./ports.ts";
import { Recorder } from "./record/recorder.ts";
import { Routes } from "./routes/routes.ts";

export interface GatewayOptions {
  /** On loopback; a free one without it. */
  readonly port?: number | undefined;
  readonly sessions: GatewaySessions;
  /** routes.yaml; one that is not there yet is read when it appears. */
  readonly routesFile?: string | undefined;
  /** What stands behind each `--route`; they go before those of the file. */
  readonly routes?: readonly string[] | undefined;
  /** The budget of the whole daemon. */
  readonly budgetUsd?: number | undefined;
  /** What becomes of a model without a price under a budget in dollars; refused without it. */
  readonly unpriced?: "refuse" | "allow" | undefined;
  /** Prints the key of the provider in MUSTER_PROVIDER, or nothing when it has none. */
  readonly keyCommand?: string | undefined;
  /** A file with the key, by provider. */
  readonly keyFiles?: Readonly<Record<string, string>> | undefined;
  /** Where sessions that are recorded are written, a folder for each. */
  readonly recordDirectory?: string | undefined;
  /** What groups and the daemon have spent, kept over restarts. */
  readonly ledgerFile: string;
  /** For proxies, the addresses of providers, and keys that routes name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: GatewayLog;
  /** Takes out of a record what the daemon knows to be secret. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Told each key that a file, a command or a route brought, and each placeholder, for whoever takes secrets out of texts. */
  readonly learnSecret?: ((secret: string) => void) | undefined;
  readonly now?: (() => number) | undefined;
}

export interface Gateway extends ModelGateway {
  readonly url: string;
  /** Reads the routes again; a wrong file changes nothing and is told in one line. */
  reload(): Promise<{ problem?: string }>;
  /** Whether the requests of a session are written to a folder of the record directory from now on. */
  setRecording(sessionId: string, isRecorded: boolean): void;
  /** The newest requests of a session that this process has seen. */
  requests(sessionId: string): readonly ShownRequest[];
  /** Ends the listener; requests that are open are cut and settled. */
  close(): Promise<void>;
}

/** How long requests that are cut at the end may take to be settled. */
const closeMs = 2_000;

/** Starts the model gateway on loopback. Throws with one line for routes or a ledger that cannot be used. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { sessions, log, env, now = Date.now, learnSecret = () => {} } = options;
  const routes = await Routes.open({ file: options.routesFile, words: options.routes, log });
  const ledger = await Ledger.open(options.ledgerFile, log);
  tellLedger(ledger, options);
  const placeholders = new Placeholders();
  const secrets = new Set<string>();
  const learn = (secret: string) => {
    secrets.add(secret);
    learnSecret(secret);
  };
  const upstreamOptions: UpstreamOptions = { env, keyCommand: options.keyCommand, keyFiles: options.keyFiles };
  const recorded = new Set<string>();
  const closing = new AbortController();
  const recorder =
    options.recordDirectory === undefined
      ? undefined
      : new Recorder({
          directory: options.recordDirectory,
          log,
          secrets: () => [...secrets, ...placeholders.tokens()],
          redact: options.redact,
        });
  const parts: RequestParts = {
    sessions,
    placeholders,
    names: new SessionNames(sessions),
    misuse: new MisuseLog(log, now),
    budgets: new Budgets(),
    ledger,
    estimates: new InputEstimates(),
    open: new OpenRequests(sessions),
    history: new RequestHistory(),
    paces: new Map(),
    closing: closing.signal,
    keys: new Keys(env, learn),
    env,
    daemonLimits: { nanoUsd: nanoUsdOf(options.budgetUsd) },
    unpriced: options.unpriced ?? "refuse",
    now,
    prices: () => ({ own: routes.table.prices, at: new Date(now()) }),
    recorderFor: (sessionId) => (recorded.has(sessionId) ? recorder : undefined),
    upstreamsFor: ({ placeholder }, model) =>
      upstreamsFor(placeholder.asked, model ?? placeholder.asked.model, routes, upstreamOptions),
    isLogin: ({ asked }) => isAgentsLogin(asked, routes, upstreamOptions),
  };
  const running = new Set<Promise<void>>();
  const listener = await listen(options.port ?? 0, async (request, response) => {
    const work = handleRequest(request, response, parts).catch((error: unknown) => {
      log("error", `a request of an agent failed in the gateway: ${messageOf(error)}`);
      response.destroy();
    });
    running.add(work);
    await work;
    running.delete(work);
  });

  const forgetSession = (sessionId: string) => {
    if (placeholders.isHeldBy(sessionId)) return;
    parts.budgets.forget("session", sessionId);
    if (sessions.account(sessionId) !== undefined) return;
    parts.paces.delete(sessionId);
    parts.history.forget(sessionId);
  };

  let closed: Promise<void> | undefined;
  const close = async () => {
    routes.close();
    closing.abort();
    parts.open.stopAll();
    const timer = new Promise((resolve) => setTimeout(resolve, closeMs).unref());
    await Promise.race([Promise.allSettled(running), timer]);
    await listener.close();
    await recorder?.idle();
    ledger.close();
  };

  return {
    url: listener.url,
    access: (asked: ModelAccessRequest): ModelAccess => {
      routes.checkName(asked.route);
      for (const { token } of [asked.own, asked.found]) if (token !== undefined) secrets.add(token);
      const { placeholder, release } = placeholders.issue(asked);
      learnSecret(placeholder.token);
      const isLogin = parts.isLogin(placeholder);
      return {
        baseUrl: isLogin ? `${listener.url}${loginPath}${placeholder.token}` : listener.url,
        token: placeholder.token,
        identity: identityOf(asked),
        keys: isLogin ? "agent" : "gateway",
        release: () => {
          release();
          if ("sessionId" in asked.holder) forgetSession(asked.holder.sessionId);
        },
      };
    },
    reload: () => routes.reload(),
    setRecording: (sessionId, isRecorded) => {
      if (isRecorded && recorder === undefined) throw new Error("The gateway was started without a record directory");
      if (isRecorded) recorded.add(sessionId);
      else recorded.delete(sessionId);
    },
    requests: (sessionId) => parts.history.of(sessionId),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** What a process that was killed left behind is told: it is counted with what was reserved, which may be too much. */
function tellLedger({ before }: Ledger, { log, ledgerFile }: GatewayOptions): void {
  const { openRequests, damagedLines } = before;
  if (openRequests > 0) {
    log("warn", "requests were open when the daemon ended; they count with what they had reserved", { openRequests });
  }
  if (damagedLines > 0) log("warn", `lines of ${ledgerFile} cannot be read and count as nothing`, { damagedLines });
}
