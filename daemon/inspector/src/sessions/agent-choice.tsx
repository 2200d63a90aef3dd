import type { AgentInfo } from "@muster/schema";

interface Props {
  agents: readonly AgentInfo[];
  chosen: string;
  onChoose(id: string): void;
}

/** Which agent works, with what is known of each. */
export function AgentChoice({ agents, chosen, onChoose }: Props) {
  return (
    <fieldset class="agents-choice">
      <legend>Agent</legend>
      {agents.map(({ id, name, installed, version, credentialsAvailable }) => (
        <label class="agent-option">
          <input type="radio" name="agent" value={id} checked={id === chosen} onChange={() => onChoose(id)} />
          <strong>{name}</strong>
          <span class="faint">
            {id === "mock"
              ? "built in, needs no key"
              : `${installed ? version || "installed" : "not installed"} · ${credentialsAvailable ? "key found" : "no key found"}`}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
