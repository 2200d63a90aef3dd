import type { AgentInfo } from "@muster/schema";
import { useEffect, useState } from "preact/hooks";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";

/** Another agent goes on with the session. */
export function HandOverForm({ sessionId, isBusy }: { sessionId: string; isBusy: boolean }) {
  const { client } = usePage().daemon;
  const { problem, attempt } = useAttempt();
  const [agents, setAgents] = useState<readonly AgentInfo[]>([]);
  const [agent, setAgent] = useState("");
  const [told, setTold] = useState("");
  useEffect(() => {
    void attempt(async () => setAgents((await client.agents.list()).agents));
  }, []);
  const handOver = (event: Event) => {
    event.preventDefault();
    void attempt(async () => {
      const { how, notCarried } = await client.sessions.handOver({ sessionId, agent });
      const without = notCarried.length === 0 ? "" : `, without ${notCarried.join(", ")}`;
      setTold(`${agent} goes on: ${how === "imported" ? "it has the conversation" : "it is told in short"}${without}`);
    });
  };
  return (
    <form class="turn-actions" onSubmit={handOver}>
      <label>
        Hand over to{" "}
        <select value={agent} onChange={({ currentTarget }) => setAgent(currentTarget.value)}>
          <option value="">another agent</option>
          {agents
            .filter(({ capabilities }) => capabilities !== undefined)
            .map(({ id, name }) => (
              <option value={id}>{name}</option>
            ))}
        </select>
      </label>
      <button type="submit" disabled={agent === "" || isBusy}>
        Hand over
      </button>
      {told !== "" && <p role="status">{told}</p>}
      <ProblemNote problem={problem} />
    </form>
  );
}
