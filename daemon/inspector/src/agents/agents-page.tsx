import type { AgentInfo, Capabilities, CredentialInfo } from "@muster/schema";
import { ScrollRegion } from "@muster/web-parts";
import { useEffect, useState } from "preact/hooks";
import { PageHead } from "../parts/page-head.tsx";
import { usePage } from "../store/page.tsx";
import { InstallButton } from "./install-button.tsx";

/** Which agents there are, what each can do, and whether its keys were found. */
export function AgentsPage() {
  const { daemon, notices } = usePage();
  const [agents, setAgents] = useState<readonly AgentInfo[]>([]);
  const [credentials, setCredentials] = useState<readonly CredentialInfo[]>([]);
  const load = () =>
    notices.attempt(daemon, async () => {
      setAgents((await daemon.client.agents.list()).agents);
      setCredentials((await daemon.client.credentials.list()).credentials);
    });
  useEffect(() => void load(), []);
  return (
    <main class="main scrolls">
      <PageHead title="Agents" />
      <div class="page">
        <ul class="cards">
          {agents.map((agent) => (
            <li class="card">
              <h2>{agent.name}</h2>
              <p>
                {agent.installed ? `${agent.version ?? "installed"}` : "not installed"}
                {agent.source && <span class="faint"> from {agent.source}</span>}
              </p>
              {agent.path && (
                <p class="faint">
                  <code>{agent.path}</code>
                </p>
              )}
              <Keys found={credentials.filter(({ agent: id }) => id === agent.id)} />
              {agent.serverStatus && (
                <p class="faint">
                  Shared server: {agent.serverStatus.processes} processes, {agent.serverStatus.sessions} sessions
                </p>
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

function Keys({ found }: { found: readonly CredentialInfo[] }) {
  return (
    <ul class="keys">
      {found.map(({ provider, found: isFound, source, kind, note }) => (
        <li class={isFound ? "found" : "faint"}>
          {isFound ? "✓" : "–"} {provider} {kind === "oauth" ? "login" : kind === "api_key" ? "key" : ""}{" "}
          <span class="faint">{isFound ? source : (note ?? "not found")}</span>
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
