import { accountCommands } from "./account.ts";
import { contextCommand } from "./context.ts";
import { inputCommands } from "./input.ts";
import { modeCommands } from "./mode.ts";
import { otherCommands } from "./other.ts";
import { permissionCommands } from "./permissions.ts";
import type { SlashCommand } from "./slash-command.ts";
import { talkCommands } from "./talk.ts";
import { workTreeCommands } from "./work-tree.ts";

/** Every slash command. */
export const slashCommands: readonly SlashCommand[] = [
  ...talkCommands,
  contextCommand,
  ...modeCommands,
  ...permissionCommands,
  ...workTreeCommands,
  ...inputCommands,
  ...accountCommands,
  ...otherCommands(() => slashCommands),
];
