import type { AgentInfo, Capabilities, CredentialInfo } from "@muster/schema";
import { ScrollRegion } from "@muster/web-parts";
import { useEffect, useState } from "preact/hooks";
import { PageHead } from "../parts/page-head.tsx";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";
import { InstallButton } from "./install-button.tsx";

/** Which agents there are, what each can do, and whether its keys were found. */
export function AgentsPage() {
  const { daemon } = usePage();
  const { problem, attempt } = useAttempt();
  const [agents, setAgents] = useState<readonly AgentInfo[]>([]);
  const [credentials, setCredentials] = useState<readonly CredentialInfo[]>([]);
  const load = () =>
    attempt(async () => {
      setAgents((await daemon.client.agents.list()).agents);
      setCredentials((await daemon.client.credentials.list()).credentials);
    });
  useEffect(() => void load(), []);
  return (
    <main class="main scrolls" id="main" tabIndex={-1}>
      <PageHead title="Agents" />
      <div class="page">
        <ProblemNote problem={problem}>
          <button type="button" onClick={() => void load()}>
            Try again
          </button>
        </ProblemNote>
        <ul class="cards">
          {agents.map((agent) => (
            <li class="card">
              <h2>{agent.name}</h2>
              <p>{versionWords(agent)}</p>
              <Keys found={credentials.filter(({ agent: id }) => id === agent.id)} />
              {agent.serverStatus && (
                <p class="faint">
                  Shared server: {counted(agent.serverStatus.processes, "process", "processes")},{" "}
                  {counted(agent.serverStatus.sessions, "session", "sessions")}
                </p>
              )}
              {agent.path && (
                <details class="faint">
                  <summary>Where it lies</summary>
                  <code>{agent.path}</code>
                </details>
              )}
              {agent.id !== "mock" && <InstallButton agent={agent} onDone={load} />}
            </li>
          ))}
        </ul>
        <Matrix agents={agents.filter(({ capabilities }) => capabilities !== undefined)} />
      </div>
    </main>
  );
}

function versionWords({ id, installed, version, source, supported }: AgentInfo) {
  if (!installed) return "not installed";
  if (id === "mock") return "built in";
  return (
    <>
      {version ?? "installed"}
      {supported === false && <strong class="wrong"> is not driven here</strong>}
      {source && <span class="faint"> from {source}</span>}
    </>
  );
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function Keys({ found }: { found: readonly CredentialInfo[] }) {
  return (
    <ul class="keys">
      {found.map(({ provider, found: isFound, source, kind, note }) => (
        <li class={isFound ? "found" : "faint"}>
          {isFound ? "✓" : "–"} {provider} {kind === "oauth" ? "login" : "key"}{" "}
          <span class="faint">{isFound ? source : (note ?? "was not found on the daemon's machine")}</span>
        </li>
      ))}
    </ul>
  );
}

const lists: readonly (keyof Capabilities)[] = ["live", "permissionModes"];

function Matrix({ agents }: { agents: readonly AgentInfo[] }) {
  const [first] = agents;
  if (first?.capabilities === undefined) return null;
  const names = (Object.keys(first.capabilities) as (keyof Capabilities)[]).filter((name) => !lists.includes(name));
  return (
    <section>
      <h2>What each can do</h2>
      <ScrollRegion class="table" label="What each agent can do">
        <table>
          <thead>
            <tr>
              <th scope="col">Feature</th>
              {agents.map(({ name }) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr>
                <th scope="row">{wordsOf(name)}</th>
                {agents.map(({ capabilities }) => (
                  <td class={capabilities?.[name] ? "yes" : "no"}>{capabilities?.[name] ? "yes" : "–"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

/** `toolInputDeltas` → `tool input deltas`. */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
