import type { AgentInfo, CreateSession, PermissionMode } from "@muster/schema";
import { Field } from "@muster/web-parts";
import { useEffect, useRef, useState } from "preact/hooks";
import { InstallButton } from "../agents/install-button.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { useAgentChoices } from "../settings/agent-choices.ts";
import { permissionModes } from "../settings/permission-modes.ts";
import { keepDraft } from "../store/drafts.ts";
import { go, usePage } from "../store/page.tsx";
import { AgentChoice } from "./agent-choice.tsx";
import { isUnderMore, type Mendable, mendOf, WrongField } from "./wrong-field.tsx";

/** A new session: which agent, what it is to do first, how it is set, and where it works. */
export function CreateForm() {
  const { daemon, list } = usePage();
  const { problem, attempt, forget } = useAttempt();
  const [agents, setAgents] = useState<readonly AgentInfo[]>([]);
  const [fields, setFields] = useState<CreateSession>({ agent: "" });
  const [sessionId, setSessionId] = useState("");
  const [first, setFirst] = useState("");
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { agent, models = [], modes = [], reload } = useAgentChoices(fields.agent);
  const set = (part: Partial<CreateSession>) => {
    forget();
    setFields((before) => ({ ...before, ...part }));
  };
  const load = () =>
    attempt(async () => {
      const { agents: found } = await daemon.client.agents.list();
      setAgents(found.filter(({ capabilities }) => capabilities !== undefined));
      const ready = found.find(
        ({ id, installed, credentialsAvailable }) => id !== "mock" && installed && credentialsAvailable,
      );
      setFields((before) => (before.agent === "" ? { agent: ready?.id ?? "mock" } : before));
    });
  useEffect(() => void load(), []);
  useEffect(() => {
    // Whoever came by a key goes on by the keyboard.
    if (agents.length > 0) form.current?.querySelector<HTMLElement>("input[name=agent]:checked")?.focus();
  }, [agents.length > 0]);

  const create = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await attempt(async () => {
      const given = sessionId.trim() === "" ? {} : { sessionId: sessionId.trim() };
      const { session, healthy } = await daemon.client.sessions.create({ ...fields, ...given });
      list.soon();
      const { sessionId: made } = session;
      // Nobody would get it yet: it stands in the field where it is sent once the agent runs.
      if (!healthy) keepDraft(made, first);
      else if (first.trim() !== "")
        await daemon.client.sessions.sendMessage({ sessionId: made, message: first.trim() });
      go({ page: "session", sessionId: made, view: "chat" });
    });
    setBusy(false);
  };
  const variants =
    models.find(({ id, default: isDefault }) => (fields.model ? id === fields.model : isDefault))?.variants ?? [];
  /** What is wrong with a field, with the button that puts it right. */
  const wrong = (field: Mendable) =>
    problem?.field === field && (
      <WrongField
        problem={problem}
        onMend={() => {
          if (field === "sessionId") setSessionId("");
          set({ [field]: undefined });
        }}
      />
    );

  return (
    <main class="main scrolls" id="main" tabIndex={-1}>
      <PageHead title="New session" />
      <form class="fields page" onSubmit={create} ref={form}>
        <AgentChoice
          agents={agents}
          chosen={fields.agent}
          onChoose={(id) => {
            forget();
            setFields(({ directory, title }) => ({ agent: id, directory, title }));
          }}
        />
        {agent && !agent.installed && (
          <div class="note">
            {agent.name} is installed when the session is created. <InstallButton agent={agent} onDone={reload} />
          </div>
        )}
        <Field label="What to do first" hint="It can also be written later">
          <textarea rows={3} value={first} onInput={(event) => setFirst(event.currentTarget.value)} />
        </Field>
        <div class="two">
          <Field label="Directory" hint="Where the agent works; the daemon's own by default" wrong={wrong("directory")}>
            <input
              list="directories"
              value={fields.directory ?? ""}
              onInput={(event) => set({ directory: event.currentTarget.value || undefined })}
            />
            <datalist id="directories">
              {[...list.directories].sort().map((path) => (
                <option value={path} />
              ))}
            </datalist>
          </Field>
          <Field label="Permission mode" wrong={wrong("permissionMode")}>
            <select
              value={fields.permissionMode ?? "default"}
              onChange={(event) => set({ permissionMode: event.currentTarget.value as PermissionMode })}
            >
              {permissionModes(agent).map(({ id, words }) => (
                <option value={id}>{words}</option>
              ))}
            </select>
          </Field>
          <Field label="Model" hint="The agent's own choice by default" wrong={wrong("model")}>
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
            <Field label="Variant" wrong={wrong("variant")}>
              <Choice value={fields.variant} options={variants} onChange={(variant) => set({ variant })} />
            </Field>
          )}
          {modes.length > 0 && (
            <Field label="Mode" wrong={wrong("agentMode")}>
              <Choice
                value={fields.agentMode}
                options={modes.map(({ id }) => id)}
                onChange={(agentMode) => set({ agentMode })}
              />
            </Field>
          )}
          <Field label="Name" hint="The beginning of the first message by default">
            <input
              value={fields.title ?? ""}
              maxLength={500}
              onInput={(event) => set({ title: event.currentTarget.value || undefined })}
            />
          </Field>
        </div>
        <details open={isUnderMore(problem)}>
          <summary>More</summary>
          <div class="two">
            <Field label="Session id" hint="Made by the daemon if empty" wrong={wrong("sessionId")}>
              <input
                value={sessionId}
                pattern="[A-Za-z0-9][A-Za-z0-9_.\-]{0,127}"
                onInput={(event) => {
                  forget();
                  setSessionId(event.currentTarget.value);
                }}
              />
            </Field>
            <Field label="API key" hint="For this session only, kept in memory" wrong={wrong("token")}>
              <input
                type="password"
                autocomplete="off"
                value={fields.token ?? ""}
                onInput={(event) => set({ token: event.currentTarget.value || undefined })}
              />
            </Field>
            <Field label="Model endpoint" hint="A gateway or proxy, without /v1" wrong={wrong("baseUrl")}>
              <input
                type="url"
                value={fields.baseUrl ?? ""}
                onInput={(event) => set({ baseUrl: event.currentTarget.value || undefined })}
              />
            </Field>
            <Field label="Version of the agent" hint="The tested one by default" wrong={wrong("agentVersion")}>
              <input
                value={fields.agentVersion ?? ""}
                onInput={(event) => set({ agentVersion: event.currentTarget.value || undefined })}
              />
            </Field>
          </div>
          <Field label="Instructions" hint="Appended to the agent's own" wrong={wrong("systemPrompt")}>
            <textarea
              rows={3}
              value={fields.systemPrompt ?? ""}
              onInput={(event) => set({ systemPrompt: event.currentTarget.value || undefined })}
            />
          </Field>
        </details>
        {mendOf(problem) === undefined && (
          <ProblemNote problem={problem}>
            {agents.length === 0 && (
              <button type="button" onClick={() => void load()}>
                Try again
              </button>
            )}
          </ProblemNote>
        )}
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
