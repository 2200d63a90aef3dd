import type { Adapter, OpenOptions } from "@muster/adapters";
import { SerialQueue } from "@muster/node";
import { defaultLimits, type Limits, type PermissionMode, type UpdateSession } from "@muster/schema/wire";
import { checkpointOf } from "../../checkpoint.ts";
import type { Fold } from "../../fold.ts";
import type { Redactor } from "../../secrets/redaction.ts";
import {
  mergeSecrets,
  noSecrets,
  type Secrets,
  secretNames,
  secretValues,
  splitSecrets,
} from "../../secrets/secrets.ts";
import { type SessionFile, type StoredSettings, writeSessionFile } from "../../store/session-file.ts";
import { budgetLeft } from "./budget.ts";
import { definedFields } from "./defined-fields.ts";

export type EffectiveLimits = Limits & { turnIdleMs: number; toolIdleMs: number; agentIdleMs: number };

/** What a session was asked to be: its file on disk, and beside it the secrets that are only in memory. */
export class SessionSettings {
  readonly #path: string;
  readonly #adapter: Adapter;
  readonly #daemonRedactor: Redactor;
  #file: SessionFile;
  #secrets: Secrets;
  #missing: string[];
  #redactor: Redactor;
  readonly #writes = new SerialQueue();

  constructor(parts: {
    path: string;
    adapter: Adapter;
    file: SessionFile;
    /** undefined after a restart: what was secret is lost. */
    secrets: Secrets | undefined;
    daemonRedactor: Redactor;
  }) {
    this.#path = parts.path;
    this.#adapter = parts.adapter;
    this.#file = parts.file;
    this.#secrets = parts.secrets ?? noSecrets;
    const known = secretNames(this.#secrets);
    this.#missing = parts.file.secretNames.filter((name) => !known.includes(name));
    this.#daemonRedactor = parts.daemonRedactor;
    this.#redactor = this.#newRedactor();
  }

  get file(): SessionFile {
    return this.#file;
  }

  get stored(): StoredSettings {
    return this.#file.settings;
  }

  /** Names of secrets a restart lost and nobody has given again. */
  get missingSecrets(): readonly string[] {
    return this.#missing;
  }

  /** What a session that is opened anew in the same daemon goes on with. */
  get secrets(): Secrets {
    return this.#secrets;
  }

  get hasSecrets(): boolean {
    return secretNames(this.#secrets).length > 0;
  }

  get redactor(): Redactor {
    return this.#redactor;
  }

  get limits(): EffectiveLimits {
    return { ...defaultLimits, ...this.#adapter.limits, ...definedFields(this.stored.limits ?? {}) };
  }

  permissionMode(state: Fold): PermissionMode {
    return state.settings.permissionMode ?? this.stored.permissionMode;
  }

  /** How the agent is opened now: what was asked for, and what the conversation has become since. */
  openOptions(state: Fold): OpenOptions {
    const { directory, baseUrl, route, systemPrompt, agentVersion, agentOptions = {}, env, mcp } = this.stored;
    const model = state.settings.model ?? this.stored.model;
    const agentMode = state.settings.agentMode ?? this.stored.agentMode;
    const variant = state.settings.variant ?? this.stored.variant;
    const { token } = this.#secrets;
    return {
      sessionId: this.#file.sessionId,
      directory,
      permissionMode: this.permissionMode(state),
      model,
      agentMode,
      variant,
      token,
      baseUrl,
      route,
      systemPrompt,
      agentVersion,
      env: { ...env, ...this.#secrets.env },
      mcp: { ...mcp, ...this.#secrets.mcp },
      agentOptions,
      budgetUsd: budgetLeft(this.limits, state),
      resume: state.life === "none" ? undefined : resumeOf(state),
    };
  }

  /** Takes over a change and stores it. Returns the fields clients see. Throws before anything has changed. */
  async update(change: UpdateSession) {
    const { plain, secrets } = splitSecrets(change);
    const { token: _, env: __, mcp: ___, limits, ...rest } = change;
    const fields = definedFields(rest);
    let old: StoredSettings;
    let merged: StoredSettings;
    do {
      old = this.stored;
      const { env, mcp } = plain;
      merged = {
        ...old,
        ...fields,
        env: { ...old.env, ...env },
        mcp: { ...old.mcp, ...mcp },
        limits: { ...old.limits, ...limits },
      };
      await this.#adapter.check(merged);
      // Another change came first: this one is made of what that one left.
    } while (this.stored !== old);
    this.#secrets = mergeSecrets(this.#secrets, secrets);
    this.#redactor = this.#newRedactor();
    const known = secretNames(this.#secrets);
    this.#missing = this.#missing.filter((name) => !known.includes(name));
    await this.#write({ settings: merged, secretNames: [...new Set([...this.#file.secretNames, ...known])] });
    return fields;
  }

  /** Stores the state, so that a restore need not read what came before it. */
  async checkpoint(state: Fold): Promise<void> {
    await this.#write({ checkpoint: checkpointOf(state) });
  }

  /** Stores what a restart has to know before it reads the log. */
  async note(change: Pick<Partial<SessionFile>, "pendingRewind" | "pendingEvent">): Promise<void> {
    await this.#write(change);
  }

  #write(change: Partial<SessionFile>): Promise<void> {
    this.#file = { ...this.#file, ...change };
    const file = this.#file;
    return this.#writes.run(() => writeSessionFile(this.#path, file));
  }

  #newRedactor(): Redactor {
    return this.#daemonRedactor.ofSession(secretValues(this.#secrets));
  }
}

function resumeOf({ settings, next, usage, costUsd }: Fold) {
  return { nativeSessionId: settings.nativeSessionId, nextItem: next.item, totals: { usage, costUsd } };
}
