import { SafeText } from "@muster/web-parts";
import { count, dollars, duration } from "@muster/web-parts/model";
import type { TurnRequest } from "../model/model-requests.ts";

interface RequestsPictureProps {
  requests: readonly TurnRequest[];
  turnIds: readonly string[];
  spentUsd: number;
  budgetUsd: number | undefined;
}

/** What the session has spent of its budget, and each model request of the newest turns. */
export function RequestsPicture({ requests, turnIds, spentUsd, budgetUsd }: RequestsPictureProps) {
  if (requests.length === 0) return null;
  const shown = requests.slice(-200);
  return (
    <section class="picture-box" aria-label="Model requests">
      <div class="picture-head">
        <h2>Model requests</h2>
        <span class="faint">
          {requests.length}, {dollars(spentUsd)}
          {budgetUsd !== undefined && ` of ${dollars(budgetUsd)}`}
        </span>
      </div>
      <table class="requests">
        <thead>
          <tr>
            <th>Turn</th>
            <th>Model</th>
            <th>Answer</th>
            <th>Tokens</th>
            <th>Cost</th>
            <th>Time</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((request) => (
            <tr>
              <td>{turnIds.indexOf(request.turnId ?? "") + 1 || "–"}</td>
              <td>
                <SafeText text={request.model} code />
                {request.subAgent !== undefined && <span class="tag">sub-agent</span>}
              </td>
              <td>{answerOf(request)}</td>
              <td>
                {count(request.inputTokens)} in, {count(request.outputTokens)} out
              </td>
              <td>{dollars(request.listUsd)}</td>
              <td>{request.durationMs === undefined ? "" : duration(request.durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function answerOf({ state, status, estimated }: TurnRequest): string {
  if (state === "open") return "open";
  return `${status ?? "none"}${estimated ? ", estimated" : ""}`;
}
