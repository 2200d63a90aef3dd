import type { Session, UpdateSession } from "@muster/schema";
import { Dialog, Field } from "@muster/web-parts";
import { useEffect, useRef, useState } from "preact/hooks";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";
import { useAgentChoices } from "./agent-choices.ts";
import { permissionModes } from "./permission-modes.ts";

interface Props {
  session: Session;
  /** It was opened to enter the key that is missing. */
  isForKey?: boolean;
  onClose(): void;
}

const shownFields: readonly string[] = ["title", "permissionMode", "model", "agentMode", "token"];

/** What can be changed while a session goes on. */
export function SettingsDialog({ session, isForKey = false, onClose }: Props) {
  const { daemon, list } = usePage();
  const { sessionId } = session;
  const [changes, setChanges] = useState<UpdateSession>({});
  const { agent, models = [], modes = [] } = useAgentChoices(session.agent);
  const { problem, attempt, forget } = useAttempt();
  const key = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isForKey) key.current?.focus();
  }, []);
  const set = (part: UpdateSession) => {
    forget();
    setChanges((before) => ({ ...before, ...part }));
  };
  const save = async (event: Event) => {
    event.preventDefault();
    const isDone = await attempt(() => daemon.client.sessions.update({ sessionId, ...changes }));
    list.soon();
    if (isDone) onClose();
  };
  const wrong = (field: string) => (problem?.field === field ? problem.text : undefined);
  return (
    <Dialog title="Settings" onClose={onClose}>
      <form class="fields" onSubmit={save}>
        <Field label="Name" wrong={wrong("title")}>
          <input
            value={changes.title ?? session.title ?? ""}
            maxLength={500}
            onInput={(event) => set({ title: event.currentTarget.value })}
          />
        </Field>
        <Field label="Permission mode" wrong={wrong("permissionMode")}>
          <select
            value={changes.permissionMode ?? session.permissionMode}
            onChange={(event) => set({ permissionMode: event.currentTarget.value as Session["permissionMode"] })}
          >
            {permissionModes(agent).map(({ id, words }) => (
              <option value={id}>{words}</option>
            ))}
          </select>
        </Field>
        <Field label="Model" wrong={wrong("model")}>
          <input
            list="settings-models"
            value={changes.model ?? session.model ?? ""}
            onInput={(event) => set({ model: event.currentTarget.value || undefined })}
          />
          <datalist id="settings-models">
            {models.map(({ id }) => (
              <option value={id} />
            ))}
          </datalist>
        </Field>
        {modes.length > 0 && (
          <Field label="Mode" wrong={wrong("agentMode")}>
            <select
              value={changes.agentMode ?? session.agentMode ?? ""}
              onChange={(event) => set({ agentMode: event.currentTarget.value || undefined })}
            >
              <option value="">as it is</option>
              {modes.map(({ id, name }) => (
                <option value={id}>{name ?? id}</option>
              ))}
            </select>
          </Field>
        )}
        <Field label="API key" hint="Only kept in memory" wrong={wrong("token")}>
          <input
            type="password"
            autocomplete="off"
            ref={key}
            onInput={(event) => set({ token: event.currentTarget.value || undefined })}
          />
        </Field>
        {problem?.field === undefined || !shownFields.includes(problem.field) ? (
          <ProblemNote problem={problem} />
        ) : null}
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
