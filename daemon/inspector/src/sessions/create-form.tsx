import type { AgentInfo, CreateSession, PermissionMode } from "@muster/schema";
import { Field } from "@muster/web-parts";
import { useEffect, useState } from "preact/hooks";
import { InstallButton } from "../agents/install-button.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { go, usePage } from "../store/page.tsx";
import { useAgentChoices } from "./agent-choices.ts";
import { permissionModes } from "./permission-modes.ts";

/** A new session: which agent, how it is set, and where it works. */
export function CreateForm() {
  const { daemon, notices, list } = usePage();
  const [agents, setAgents] = useState<readonly AgentInfo[]>([]);
  const [fields, setFields] = useState<CreateSession>({ agent: "" });
  const [sessionId, setSessionId] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { agent, models, modes, reload } = useAgentChoices(fields.agent);
  const set = (part: Partial<CreateSession>) => setFields((before) => ({ ...before, ...part }));
  useEffect(() => {
    void notices.attempt(daemon, async () => {
      const { agents: found } = await daemon.client.agents.list();
      setAgents(found.filter(({ capabilities }) => capabilities !== undefined));
      const ready = found.find(
        ({ id, installed, credentialsAvailable }) => id !== "mock" && installed && credentialsAvailable,
      );
      setFields((before) => (before.agent === "" ? { agent: ready?.id ?? "mock" } : before));
    });
  }, []);

  const create = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await notices.attempt(daemon, async () => {
      const given = sessionId.trim() === "" ? {} : { sessionId: sessionId.trim() };
      const { session, healthy, error } = await daemon.client.sessions.create({ ...given, ...fields });
      list.soon();
      if (!healthy && error) notices.tell(error.message, true);
      go({ page: "session", sessionId: session.sessionId, view: "chat" });
    });
    setBusy(false);
  };
  const variants =
    models.find(({ id, default: isDefault }) => (fields.model ? id === fields.model : isDefault))?.variants ?? [];

  return (
    <main class="main scrolls">
      <PageHead title="New session" />
      <form class="fields page" onSubmit={create}>
        <fieldset class="agents-choice">
          <legend>Agent</legend>
          {agents.map(({ id, name, installed, version, credentialsAvailable }) => (
            <label class="agent-option">
              <input
                type="radio"
                name="agent"
                value={id}
                checked={id === fields.agent}
                onChange={() => setFields(({ directory, title }) => ({ agent: id, directory, title }))}
              />
              <strong>{name}</strong>
              <span class="faint">
                {installed ? version || "installed" : "not installed"}
                {id !== "mock" && (credentialsAvailable ? " · credentials found" : " · no credentials")}
              </span>
            </label>
          ))}
        </fieldset>
        {agent && !agent.installed && (
          <div class="note">
            {agent.name} is installed when the session is created. <InstallButton agent={agent} onDone={reload} />
          </div>
        )}
        <div class="two">
          <Field label="Directory" hint="Where the agent works; the daemon's own by default">
            <input
              value={fields.directory ?? ""}
              onInput={(event) => set({ directory: event.currentTarget.value || undefined })}
            />
          </Field>
          <Field label="Permission mode">
            <select
              value={fields.permissionMode ?? "default"}
              onChange={(event) => set({ permissionMode: event.currentTarget.value as PermissionMode })}
            >
              {permissionModes(agent).map(({ id, words }) => (
                <option value={id}>{words}</option>
              ))}
            </select>
          </Field>
          <Field label="Model" hint="The agent's own choice by default">
            <input
              list="models"
              value={fields.model ?? ""}
              onInput={(event) => set({ model: event.currentTarget.value || undefined })}
            />
            <datalist id="models">
              {models.map(({ id, name }) => (
                <option value={id}>{name}</option>
              ))}
            </datalist>
          </Field>
          {variants.length > 0 && (
            <Field label="Variant">
              <Choice value={fields.variant} options={variants} onChange={(variant) => set({ variant })} />
            </Field>
          )}
          {modes.length > 0 && (
            <Field label="Mode">
              <Choice
                value={fields.agentMode}
                options={modes.map(({ id }) => id)}
                onChange={(agentMode) => set({ agentMode })}
              />
            </Field>
          )}
          <Field label="Name">
            <input
              value={fields.title ?? ""}
              maxLength={500}
              onInput={(event) => set({ title: event.currentTarget.value || undefined })}
            />
          </Field>
        </div>
        <details>
          <summary>More</summary>
          <div class="two">
            <Field label="Session id" hint="Made by the daemon if empty">
              <input
                value={sessionId}
                pattern="[A-Za-z0-9][A-Za-z0-9_.\-]{0,127}"
                onInput={(event) => setSessionId(event.currentTarget.value)}
              />
            </Field>
            <Field label="API key" hint="For this session only, kept in memory">
              <input
                type="password"
                autocomplete="off"
                onInput={(event) => set({ token: event.currentTarget.value || undefined })}
              />
            </Field>
            <Field label="Model endpoint" hint="A gateway or proxy, without /v1">
              <input type="url" onInput={(event) => set({ baseUrl: event.currentTarget.value || undefined })} />
            </Field>
            <Field label="Version of the agent">
              <input onInput={(event) => set({ agentVersion: event.currentTarget.value || undefined })} />
            </Field>
          </div>
          <Field label="Instructions" hint="Appended to the agent's own">
            <textarea rows={3} onInput={(event) => set({ systemPrompt: event.currentTarget.value || undefined })} />
          </Field>
        </details>
        <div class="buttons">
          <button type="submit" class="primary" disabled={isBusy || fields.agent === ""}>
            {isBusy ? (agent?.installed === false ? "Installing …" : "Starting …") : "Create session"}
          </button>
        </div>
      </form>
    </main>
  );
}

function Choice(props: { value?: string; options: readonly string[]; onChange(value: string | undefined): void }) {
  const { value, options, onChange } = props;
  return (
    <select value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
      <option value="">as usual</option>
      {options.map((option) => (
        <option value={option}>{option}</option>
      ))}
    </select>
  );
}
