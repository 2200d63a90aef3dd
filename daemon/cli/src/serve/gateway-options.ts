import { resolve } from "node:path";
import type { GatewaySettings } from "@muster/server";
import { InvalidArgumentError, Option, type OptionValues } from "commander";
import { UsageError } from "../environment/exit.ts";
import { collect, portOf } from "./option-values.ts";

/** The options of the model gateway. */
export function gatewayOptions(): Option[] {
  return [
    new Option(
      "--no-gateway",
      "gives agents the keys themselves; nothing is counted and no budget holds within a turn",
    ),
    new Option(
      "--gateway-port <port>",
      "the port on loopback where agents reach their models; default: a free one",
    ).argParser(portOf),
    new Option(
      "--routes <file>",
      "routes.yaml: which model is asked where, with which key; read again when it changes",
    ),
    new Option(
      "--route <route>",
      "one route: <provider>[:<model>]=<url>, where the model may have a *, then key=env:<NAME> and more (repeatable)",
    ).argParser(collect),
    new Option(
      "--key-command <command>",
      "prints a provider's key; run when it is needed and again when it is refused, with MUSTER_PROVIDER set",
    ),
    new Option("--budget-usd <usd>", "what all sessions together may cost").argParser(usdOf),
    new Option("--unpriced <what>", "what becomes of a model without a price under a budget in dollars")
      .choices(["refuse", "allow"])
      .default("refuse"),
    new Option(
      "--record",
      "keeps each model request and its answer, without secrets, as files that scripted-llm replays",
    ),
  ];
}

export function gatewayOf(given: OptionValues): GatewaySettings | false {
  const { gatewayPort: port, routes: routesFile, route: routes, keyCommand, budgetUsd, unpriced, record } = given;
  const asked = { port, routesFile, routes, keyCommand, budgetUsd, record };
  if (given.gateway !== false) {
    return { ...asked, unpriced, routesFile: routesFile === undefined ? undefined : resolve(routesFile) };
  }
  const [useless] = Object.entries(asked).filter(([, value]) => value !== undefined);
  if (useless !== undefined) throw new UsageError(`--no-gateway leaves nothing for ${optionNames[useless[0]]} to do`);
  return false;
}

const optionNames: Readonly<Record<string, string>> = {
  port: "--gateway-port",
  routesFile: "--routes",
  routes: "--route",
  keyCommand: "--key-command",
  budgetUsd: "--budget-usd",
  record: "--record",
};

function usdOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("Not an amount above 0.");
}
