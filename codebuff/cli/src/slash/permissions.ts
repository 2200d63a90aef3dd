import { PermissionPolicy } from "@muster/codebuff-protocol";
import type { Chat } from "../chat/chat.ts";
import { policyHelp, policyOf, switchPolicy } from "../permissions/policy-switch.ts";
import { ruleText } from "../permissions/rule-text.ts";
import { applyToChat } from "../settings/apply-to-chat.ts";
import { runShellCommand } from "./run-shell-command.ts";
import type { SlashCommand } from "./slash-command.ts";

/** What the agent may do, what holds here, and what of the project is trusted. */
export const permissionCommands: readonly SlashCommand[] = [
  {
    name: "permissions",
    aliases: ["allowed"],
    group: "mode",
    argument: "[policy|list|remove]",
    help: "what is asked for, from the next call on; rules that were remembered",
    async run(chat, argument) {
      const wanted = argument.trim();
      if (wanted === "list" || wanted.startsWith("list ")) return listRulesIn(chat);
      if (wanted === "remove" || wanted.startsWith("remove ")) return removeRuleIn(chat, wanted.slice(7).trim());
      const policy = PermissionPolicy.safeParse(wanted);
      if (policy.success) return takePolicy(chat, policy.data);
      if (wanted !== "")
        return chat.say(`There is no policy ${wanted}: ${PermissionPolicy.options.join(", ")}.`, "warning");
      await choosePermissions(chat);
    },
  },
  {
    name: "config",
    aliases: ["settings"],
    group: "other",
    argument: "[key [value]]",
    help: "every setting and where it comes from; with a value: kept for all your projects",
    async run(chat, argument) {
      const { config } = await import("../commands/config.ts");
      const [key = "", ...rest] = argument.trim().split(/\s+/);
      const words = key === "" ? ["list"] : rest.length === 0 ? ["get", key] : ["set", key, rest.join(" ")];
      await runShellCommand(chat, async (io) => {
        const code = await config(words, {}, { ...io, cwd: chat.options.cwd });
        if (code === 0 && words[0] === "set") applyToChat(chat, key, rest.join(" "));
        return code;
      });
    },
  },
  {
    name: "trust",
    group: "other",
    argument: "[remove]",
    help: "what this project brings of its own: accept it as it is, or take that back",
    run: (chat, argument) => trustIn(chat, argument.trim()),
  },
];

function takePolicy(chat: Chat, policy: PermissionPolicy): void {
  switchPolicy(chat, policy);
  chat.say(`Permissions from the next call on: ${policy}, which ${policyHelp[policy]}.`);
}

async function choosePermissions(chat: Chat): Promise<void> {
  const now = policyOf(chat.settings);
  const rules = await rulesOf(chat);
  const chosen = await chat.dialogs.choose<PermissionPolicy | "rules">({
    title: `What is asked for? Now: ${now}`,
    choices: [
      ...PermissionPolicy.options.map((policy) => ({ label: policy, help: policyHelp[policy], value: policy })),
      { label: `Rules that were remembered: ${rules.length}`, value: "rules" as const },
    ],
    escape: "changes nothing",
  });
  const [choice] = chosen?.values ?? [];
  if (choice === "rules") return rules.length === 0 ? listRulesIn(chat) : removeRuleIn(chat, "");
  if (choice !== undefined) takePolicy(chat, choice);
}

async function rulesOf(chat: Chat) {
  const { listRules, Trust } = await import("@muster/codebuff-sdk");
  const { home } = chat.io;
  const { cwd: root } = chat.options;
  return listRules({ root, home, trust: new Trust({ home, root }), warn: (message) => chat.warn(message) });
}

async function listRulesIn(chat: Chat): Promise<void> {
  const { permissions } = await import("../commands/permissions.ts");
  await runShellCommand(chat, (io) => permissions(["list"], {}, { ...io, cwd: chat.options.cwd }));
}

async function removeRuleIn(chat: Chat, number: string): Promise<void> {
  const rules = await rulesOf(chat);
  if (rules.length === 0) return chat.say("There are no rules.");
  const chosen =
    number === ""
      ? (
          await chat.dialogs.choose({
            title: "Which rule shall no longer hold?",
            choices: rules.map((listed) => ({
              label: ruleText(listed.rule),
              help: `${listed.scope}${listed.holds ? "" : ", not accepted yet"}`,
              value: listed,
            })),
            search: true,
            escape: "changes nothing",
          })
        )?.values[0]
      : rules[Number(number) - 1];
  if (chosen === undefined) return number === "" ? undefined : chat.say(`There is no rule ${number}.`, "warning");
  const { removeRule } = await import("@muster/codebuff-sdk");
  await removeRule(chosen, { root: chat.options.cwd, home: chat.io.home });
  chat.say(`No longer a rule from the next prompt on: ${ruleText(chosen.rule)}`);
}

async function trustIn(chat: Chat, argument: string): Promise<void> {
  const { Trust, readTrustItems } = await import("@muster/codebuff-sdk");
  const { askTrustWith } = await import("../trust/ask-trust.ts");
  const { home } = chat.io;
  const { cwd: root } = chat.options;
  const decide = askTrustWith({ dialogs: chat.dialogs, notify: (title) => chat.view.notify(title) });
  const trust = new Trust({ home, root, decide });
  if (argument === "remove") {
    const wasThere = await trust.forget();
    return chat.say(wasThere ? "Nothing of this project is trusted any more." : "Nothing of this project was trusted.");
  }
  const items = await readTrustItems(root, home);
  if (items.length === 0) return chat.say("This project brings no agents, servers, hooks, skills or rules of its own.");
  await trust.review(items);
  const left = (await new Trust({ home, root }).untrusted(items)).length;
  chat.say(
    left === 0
      ? `Everything this project brings is trusted as it is now: ${items.length}.`
      : `Not trusted: ${left} of ${items.length}.`,
  );
}
