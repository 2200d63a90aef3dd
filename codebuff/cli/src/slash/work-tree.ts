import type { MoveResult } from "@muster/codebuff-sdk";
import type { Chat } from "../chat/chat.ts";
import type { SlashCommand } from "./slash-command.ts";

type What = "both" | "files" | "chat";

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
    argument: "[files|chat]",
    help: "take back the last prompt: its changes, also those of commands, and what was said",
    run: (chat, what) => move(chat, "undo", readWhat(what)),
  },
  {
    name: "redo",
    group: "work tree",
    argument: "[files|chat]",
    help: "bring back what the last undo took away",
    run: (chat, what) => move(chat, "redo", readWhat(what)),
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

function readWhat(argument: string): What {
  return argument === "files" || argument === "chat" ? argument : "both";
}

/** Files and chat move together; where the files cannot, the chat stays too. */
async function move(chat: Chat, way: "undo" | "redo", what: What): Promise<void> {
  if (chat.isRunning) return chat.say("The agent is working: interrupt it first (Escape).", "warning");
  const conversation = await chat.conversation();
  if (what !== "chat") {
    const snapshots = await snapshotsOf(chat);
    if (snapshots === undefined) return;
    const result = way === "undo" ? await snapshots.undo() : await snapshots.redo();
    tell(chat, result, way === "undo" ? "took back" : "brought back");
    if (result.kind !== "moved") return;
  }
  if (what === "files") return;
  const { undoChat, redoChat } = await import("../run/undo-chat.ts");
  const { text, tone } = way === "undo" ? await undoChat(conversation) : await redoChat(conversation);
  chat.say(text, tone);
}

function tell(chat: Chat, result: MoveResult, did: string): void {
  switch (result.kind) {
    case "moved": {
      const rows = result.changes.map(({ path, kind }) => `  ${kind} ${path}`);
      const kept = result.kept.map((path) => `  left alone: ${path}`);
      return chat.say([`Files: ${did} "${result.label}"`, ...rows, ...kept].join("\n"), "good");
    }
    case "conflict":
      return chat.say(
        [
          "Nothing was changed. You changed these files since, and going back would lose that:",
          ...result.paths.map((path) => `  ${path}`),
          "Save or revert them, then try again.",
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
