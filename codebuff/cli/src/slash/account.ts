import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { formatDollars } from "../text/amounts.ts";
import { runShellCommand } from "./run-shell-command.ts";
import type { SlashCommand } from "./slash-command.ts";

export const accountCommands: readonly SlashCommand[] = [
  {
    name: "login",
    group: "account",
    help: "connect this machine with an account of a Codebuff server",
    async run(chat) {
      const { login } = await import("../commands/login.ts");
      const { baseUrl } = chat.options;
      await runShellCommand(chat, (io) => login({ baseUrl, browser: true }, io));
    },
  },
  {
    name: "logout",
    group: "account",
    help: "forget the login of this machine",
    isWord: true,
    async run(chat) {
      const { logout } = await import("../commands/login.ts");
      await runShellCommand(chat, logout);
    },
  },
  {
    name: "usage",
    aliases: ["credits"],
    group: "account",
    help: "what this session has cost, and what the account has left",
    async run(chat) {
      const spent = `This session: ${formatDollars(chat.spentUsd)}, sub-agents and tools included.`;
      const { readUsage } = await import("../run/read-usage.ts");
      const account = await readUsage({ baseUrl: chat.options.baseUrl, env: chat.io.env, home: chat.io.home });
      chat.say(`${spent}\n${account}`);
    },
  },
  {
    name: "connect",
    group: "account",
    argument: "[claude|chatgpt]",
    help: "use a subscription of yours for the models it covers",
    async run(chat, name) {
      const { connect } = await import("./connect.ts");
      await connect(chat, name);
    },
  },
  {
    name: "feedback",
    aliases: ["bug"],
    group: "account",
    argument: "<text>",
    help: "write down what was wrong; it stays on this machine",
    async run(chat, text) {
      if (text === "") return chat.say("/feedback takes what you want to say: /feedback the diff was cut");
      const folder = join(chat.io.home, ".codebuff", "logs");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { sessionId } = await chat.conversation();
      const line = JSON.stringify({ at: Date.now(), sessionId, text });
      await appendFile(join(folder, "feedback.jsonl"), `${line}\n`, { mode: 0o600 });
      chat.say(
        `Thank you. It is in ${join(folder, "feedback.jsonl")} with the id of this session, to be sent by you.`,
        "good",
      );
    },
  },
  {
    name: "publish",
    group: "account",
    argument: "<agent ids>",
    help: "publish agents of .agents/ to the store of the server",
    async run(chat, ids) {
      if (ids === "") return chat.say("/publish takes the ids of agents in .agents/");
      const { publish } = await import("../commands/publish.ts");
      await runShellCommand(chat, (io) => publish(ids.split(/[\s,]+/), { baseUrl: chat.options.baseUrl }, io));
    },
  },
];
