import type { Session, UpdateSession } from "@muster/schema";
import { useState } from "preact/hooks";
import { Chooser } from "../parts/chooser.tsx";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";
import { useAgentChoices } from "./agent-choices.ts";
import { permissionModes, shortPermissionMode } from "./permission-modes.ts";

/** Model, mode and permissions of the next turn, where it is written. */
export function SessionChoices({ log, session }: { log: SessionLog; session: Session }) {
  const { daemon, list } = usePage();
  const { problem, attempt } = useAttempt();
  const [isWanted, setWanted] = useState(false);
  const { agent, models, modes } = useAgentChoices(session.agent, isWanted);
  const { sessionId, model, agentMode, permissionMode } = session;
  const want = () => setWanted(true);
  const change = (part: UpdateSession) =>
    attempt(async () => {
      await daemon.client.sessions.update({ sessionId, ...part });
      await log.refresh();
      list.soon();
    });
  return (
    <>
      <fieldset class="session-choices" aria-label="How the agent works">
        {agent?.capabilities?.models !== false && (
          <Chooser
            name="Model"
            shown={model ?? "the agent's own"}
            current={model}
            choices={models?.map(({ id, name }) => ({ id, words: name ?? id }))}
            takesOwn
            onOpen={want}
            onChoose={(id) => void change({ model: id })}
          />
        )}
        {agent?.capabilities?.modes === true && (
          <Chooser
            name="Mode"
            shown={agentMode ?? "as usual"}
            current={agentMode}
            choices={modes?.map(({ id, name }) => ({ id, words: name ?? id }))}
            onOpen={want}
            onChoose={(id) => void change({ agentMode: id })}
          />
        )}
        <Chooser
          name="Permissions"
          shown={shortPermissionMode(permissionMode)}
          current={permissionMode}
          choices={permissionModes(agent)}
          onChoose={(id) => void change({ permissionMode: id as Session["permissionMode"] })}
        />
      </fieldset>
      <ProblemNote problem={problem} />
    </>
  );
}
