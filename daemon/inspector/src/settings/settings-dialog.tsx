import type { Session, UpdateSession } from "@muster/schema";
import { Dialog, Field } from "@muster/web-parts";
import { useState } from "preact/hooks";
import { usePage } from "../store/page.tsx";
import { useAgentChoices } from "./agent-choices.ts";
import { permissionModes } from "./permission-modes.ts";

/** What can be changed while a session goes on. */
export function SettingsDialog({ session, onClose }: { session: Session; onClose(): void }) {
  const { daemon, notices, list } = usePage();
  const { sessionId } = session;
  const [changes, setChanges] = useState<UpdateSession>({});
  const { agent, models, modes } = useAgentChoices(session.agent);
  const set = (part: UpdateSession) => setChanges((before) => ({ ...before, ...part }));
  const save = async (event: Event) => {
    event.preventDefault();
    const isDone = await notices.attempt(daemon, () => daemon.client.sessions.update({ sessionId, ...changes }));
    list.soon();
    if (isDone) onClose();
  };
  return (
    <Dialog title="Settings" onClose={onClose}>
      <form class="fields" onSubmit={save}>
        <Field label="Name">
          <input
            value={changes.title ?? session.title ?? ""}
            maxLength={500}
            onInput={(event) => set({ title: event.currentTarget.value })}
          />
        </Field>
        <Field label="Permission mode">
          <select
            value={changes.permissionMode ?? session.permissionMode}
            onChange={(event) => set({ permissionMode: event.currentTarget.value as Session["permissionMode"] })}
          >
            {permissionModes(agent).map(({ id, words }) => (
              <option value={id}>{words}</option>
            ))}
          </select>
        </Field>
        <Field label="Model">
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
          <Field label="Mode">
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
        <Field label="API key" hint="Only kept in memory">
          <input
            type="password"
            autocomplete="off"
            onInput={(event) => set({ token: event.currentTarget.value || undefined })}
          />
        </Field>
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
