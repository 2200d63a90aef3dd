import type { Session } from "@muster/schema";
import { useState } from "preact/hooks";
import { pageWords } from "../model/problem.ts";
import { SettingsDialog } from "./settings-dialog.tsx";

/** Why the agent of a session does not run, with what mends it. Told here and nowhere else. */
export function SessionTrouble({ session }: { session: Session }) {
  const [isMending, setMending] = useState(false);
  const words = troubleOf(session);
  if (words === undefined) return null;
  return (
    <div class="note failed problem" role="alert">
      <p>{words}</p>
      {isKeyMissing(session) && (
        <button type="button" onClick={() => setMending(true)}>
          Enter the key
        </button>
      )}
      {isProgramMissing(session) && (
        <a class="button" href="#/agents">
          See the agents
        </a>
      )}
      {isMending && <SettingsDialog session={session} isForKey onClose={() => setMending(false)} />}
    </div>
  );
}

/** undefined where nothing is wrong. */
function troubleOf({ error, needsCredentials }: Session): string | undefined {
  if (needsCredentials !== undefined)
    return `The daemon was started again and keeps no secrets: give ${needsCredentials.join(", ")} again`;
  return error && pageWords(error.message);
}

function isKeyMissing({ error, needsCredentials }: Session): boolean {
  return error?.type === "token_error" || needsCredentials?.includes("token") === true;
}

function isProgramMissing({ error }: Session): boolean {
  return error?.type === "install_failed" || error?.type === "unsupported_agent_version";
}
