import { addCosts, type Cost, dollarsOf, type Model, noCost, type Tools } from "@muster/codebuff-runtime";

/** The same ports; once the run, its sub-agents and its tools have cost the budget, the next request is refused. */
export function withBudget<Used extends { model: Model; tools: Tools }>(
  ports: Used,
  budgetUsd: number | undefined,
): Used {
  if (budgetUsd === undefined) return ports;
  const { model, tools } = ports;
  let spent = noCost;
  const spend = (cost: Cost | undefined) => {
    if (cost !== undefined) spent = addCosts(spent, cost);
  };
  return {
    ...ports,
    model: {
      countTokens: model.countTokens?.bind(model),
      contextWindow: (name) => model.contextWindow(name),
      async *stream(request, signal) {
        const refusal = refusalFor(spent, budgetUsd);
        if (refusal !== undefined) {
          yield { type: "error", code: "budget_exceeded", message: refusal };
          return;
        }
        let unfinished: Cost | undefined;
        try {
          for await (const chunk of model.stream(request, signal)) {
            if (chunk.type === "spent") unfinished = chunk.cost;
            if (chunk.type === "finish") {
              unfinished = undefined;
              spend(chunk.cost);
            }
            yield chunk;
          }
        } finally {
          spend(unfinished);
        }
      },
    },
    tools: {
      definitions: (agent, signal) => tools.definitions(agent, signal),
      tellTo: (tell) => tools.tellTo?.(tell),
      endAgent: (scope) => tools.endAgent(scope),
      skill: (name) => tools.skill?.(name),
      async run(calls, scope, progress) {
        const results = await tools.run(calls, scope, progress);
        for (const { cost } of results) spend(cost);
        return results;
      },
    },
  };
}

function refusalFor(spent: Cost, budgetUsd: number): string | undefined {
  if (!spent.known) return "A model without a price was used, so the budget cannot be kept";
  return overBudget(dollarsOf(spent), budgetUsd);
}

/** Why a run that has cost so much sends nothing more; undefined within its budget. */
export function overBudget(usd: number, budgetUsd: number): string | undefined {
  if (usd < budgetUsd) return undefined;
  if (usd === 0) return "The budget is used up";
  return `The run has cost $${usd.toFixed(4)} and its budget is $${Number(budgetUsd.toFixed(6))}`;
}
