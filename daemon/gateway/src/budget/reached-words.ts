import type { Reached } from "./budgets.ts";

/** What a person reads when a budget is reached. */
export function wordsFor({ kind, id, currency, used, limit }: Reached): string {
  const whose = { session: "this session", group: `the group ${id}`, daemon: "this daemon" }[kind];
  const spent = currency === "nanoUsd" ? dollars(used.nanoUsd) : `${used.tokens} tokens`;
  const budget = currency === "nanoUsd" ? dollars(limit) : `${limit} tokens`;
  const how = { session: "raise limits", group: "raise the limits of its sessions", daemon: "raise --budget-usd" }[
    kind
  ];
  return `The budget of ${whose} is used up: ${spent} of ${budget}, open requests included. To go on, ${how}.`;
}

/** As many places as a small budget needs, never more than there are. */
function dollars(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return `$${
    usd >= 1
      ? usd.toFixed(2)
      : usd
          .toPrecision(3)
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "")
  }`;
}
