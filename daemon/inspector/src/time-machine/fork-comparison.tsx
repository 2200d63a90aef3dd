import type { SessionChanges } from "@muster/schema";
import { useState } from "preact/hooks";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";
import { ChangedFiles } from "./changed-files.tsx";

/** The files of this session beside those of another one, such as its fork. */
export function ForkComparison({ sessionId }: { sessionId: string }) {
  const { client } = usePage().daemon;
  const { problem, attempt, forget } = useAttempt();
  const [other, setOther] = useState("");
  const [changes, setChanges] = useState<SessionChanges>();
  const compare = (event: Event) => {
    event.preventDefault();
    void attempt(async () => setChanges(await client.sessions.changes({ sessionId, other })));
  };
  return (
    <form class="turn-actions" onSubmit={compare}>
      <label>
        Compare with{" "}
        <input
          value={other}
          placeholder="the id of a fork"
          onInput={({ currentTarget }) => {
            setOther(currentTarget.value);
            forget();
          }}
        />
      </label>
      <button type="submit" disabled={other === ""}>
        Compare
      </button>
      <ProblemNote problem={problem} />
      {changes !== undefined && <ChangedFiles changes={changes} />}
    </form>
  );
}
