import type { Author, MoveResult } from "@muster/codebuff-sdk";
import type { Chat } from "../chat/chat.ts";
import type { SlashCommand } from "./slash-command.ts";

/** What moves, and whether it moves over what others changed since. */
interface Wish {
  readonly what: "both" | "files" | "chat";
  readonly force: boolean;
}

export const workTreeCommands: readonly SlashCommand[] = [
  {
    name: "diff",
    aliases: ["d"],
    group: "work tree",
    argument: "[checkpoint]",
    help: "what has changed since the last prompt, by whomever",
    async run(chat, id) {
      const snapshots = await snapshotsOf(chat);
      if (snapshots === undefined) return;
      const found = await snapshots.diff(id === "" ? {} : { id: Number(id) });
      if (found === undefined) return chat.say("There is no checkpoint yet: one is taken before each prompt.");
      const patch = found.patch.trim();
      chat.say(patch === "" ? `Nothing has changed since checkpoint ${found.id} (${found.label}).` : patch, "diff");
    },
  },
  {
    name: "undo",
    group: "work tree",
    argument: "[files|chat] [force]",
    help: "take back the last prompt: its changes, also those of commands and hooks, and what was said; force: also over what you changed since, which is shown first",
    run: (chat, argument) => move(chat, "undo", argument),
  },
  {
    name: "redo",
    group: "work tree",
    argument: "[files|chat] [force]",
    help: "bring back what the last undo took away",
    run: (chat, argument) => move(chat, "redo", argument),
  },
  {
    name: "checkpoint",
    group: "work tree",
    argument: "[id]",
    help: "go back to the files of a checkpoint; alone: take one now",
    async run(chat, id) {
      const snapshots = await snapshotsOf(chat);
      if (snapshots === undefined) return;
      if (id !== "" && !/^\d+$/.test(id))
        return chat.say("/checkpoint takes the number of one of /checkpoints", "warning");
      if (id === "") {
        const taken = await snapshots.checkpoint("by hand");
        return chat.say(`Checkpoint ${taken.id}.`, "good");
      }
      tell(chat, await snapshots.restore(Number(id)), "went back to");
    },
  },
  {
    name: "checkpoints",
    group: "work tree",
    help: "the checkpoints of this conversation",
    async run(chat) {
      const snapshots = await snapshotsOf(chat);
      if (snapshots === undefined) return;
      const rows = snapshots.list().map(({ id, time, label }) => `${id}  ${time.slice(11, 19)}  ${label}`);
      chat.say(rows.length === 0 ? "There is no checkpoint yet: one is taken before each prompt." : rows.join("\n"));
    },
  },
  {
    name: "ps",
    group: "work tree",
    help: "what the agent has left running in the background",
    async run(chat) {
      const { terminal } = await chat.conversation();
      const rows = terminal.background
        .list()
        .map(({ processId, status, command }) => `${processId}  ${status}  ${command}`);
      chat.say(rows.length === 0 ? "Nothing runs in the background." : rows.join("\n"));
    },
  },
  {
    name: "stop",
    group: "work tree",
    argument: "<id>",
    help: "end a background process of /ps",
    async run(chat, id) {
      const { terminal } = await chat.conversation();
      if (!/^\d+$/.test(id)) return chat.say("/stop takes the number of a process of /ps", "warning");
      const stopped = await terminal.background.stop(Number(id));
      chat.say(stopped ? `Stopped ${id}.` : `No process ${id} runs in the background.`, stopped ? "good" : "warning");
    },
  },
];

/** Undefined for a word that means nothing here. */
function readWish(argument: string): Wish | undefined {
  const words = argument.split(/\s+/).filter((word) => word !== "");
  const rest = words.filter((word) => word !== "force");
  const [what = "both"] = rest;
  if (rest.length > 1 || (what !== "both" && what !== "files" && what !== "chat")) return undefined;
  return { what, force: words.includes("force") };
}

/** Files and chat move together; where the files cannot, the chat stays too. */
async function move(chat: Chat, way: "undo" | "redo", argument: string): Promise<void> {
  const wish = readWish(argument);
  if (wish === undefined) return chat.say(`/${way} takes files, chat and force, not '${argument}'.`, "warning");
  if (chat.isRunning) return chat.say("The agent is working: interrupt it first (Escape).", "warning");
  const { what, force } = wish;
  const conversation = await chat.conversation();
  if (what !== "chat") {
    const snapshots = await snapshotsOf(chat);
    if (snapshots === undefined) return;
    const go = (options: { force?: boolean }) => (way === "undo" ? snapshots.undo(options) : snapshots.redo(options));
    let result = await go({});
    if (result.kind === "conflict" && force) {
      tellLoss(chat, result);
      result = await go({ force });
    }
    tell(chat, result, way === "undo" ? "took back" : "brought back", way);
    if (result.kind !== "moved") return;
  }
  if (what === "files") return;
  const { undoChat, redoChat } = await import("../run/undo-chat.ts");
  const { text, tone } = way === "undo" ? await undoChat(conversation) : await redoChat(conversation);
  chat.say(text, tone);
}

type Conflict = Extract<MoveResult, { kind: "conflict" }>;

/** What a forced move takes away stands in the scrollback before it is gone. */
function tellLoss(chat: Chat, { paths, by, patch }: Conflict): void {
  chat.say(
    ["This is lost, because you said force:", ...paths.map((path) => changedBy(path, by))].join("\n"),
    "warning",
  );
  if (patch.trim() !== "") chat.say(patch.trim(), "diff");
}

function changedBy(path: string, by: Readonly<Record<string, Author>>): string {
  return `  ${path}  changed by ${by[path] === "session" ? "another session" : "you"}`;
}

function tell(chat: Chat, result: MoveResult, did: string, way: "undo" | "redo" = "undo"): void {
  switch (result.kind) {
    case "moved": {
      const rows = result.changes.map(({ path, kind }) => `  ${kind} ${path}`);
      const kept = result.kept.map((path) => `  left alone: ${path}`);
      return chat.say([`Files: ${did} "${result.label}"`, ...rows, ...kept].join("\n"), "good");
    }
    case "conflict":
      return chat.say(
        [
          "Nothing was changed. These files were changed after the agent's last step, and going back would lose that:",
          ...result.paths.map((path) => changedBy(path, result.by)),
          `Save or revert them, then try again; /${way} force shows what is lost and goes back all the same.`,
        ].join("\n"),
        "warning",
      );
    case "blocked":
      return chat.say(`Nothing was changed: ${result.reason}`, "error");
    case "nothing":
      return chat.say("There is nothing to go back to.");
  }
}

async function snapshotsOf(chat: Chat) {
  const conversation = await chat.conversation();
  const snapshots = await conversation.snapshots();
  if (snapshots === undefined) {
    chat.say(conversation.noSnapshots ?? "There is no checkpoint yet: one is taken before each prompt.", "warning");
  }
  return snapshots;
}
