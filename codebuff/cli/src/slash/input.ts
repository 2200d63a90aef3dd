import { attachImageFile } from "../input/images.ts";
import { runShellCommand } from "./run-shell-command.ts";
import type { SlashCommand } from "./slash-command.ts";

export const inputCommands: readonly SlashCommand[] = [
  {
    name: "bash",
    group: "input",
    argument: "<command>",
    help: "run a command yourself, like !command; its output goes with your next prompt",
    run(chat, command) {
      if (command === "") return chat.say("/bash takes a command: /bash git status. The same is !git status");
      return chat.runCommand(command);
    },
  },
  {
    name: "image",
    aliases: ["img", "attach"],
    group: "input",
    argument: "<file>",
    help: "attach an image to the next prompt",
    async run(chat, file) {
      if (file === "") return chat.say("/image takes the path of a picture: /image shot.png. Ctrl-V pastes one.");
      chat.say(await attachImageFile(chat, file));
    },
  },
  {
    name: "skill:",
    group: "input",
    argument: "<name> [task]",
    help: "let the agent work by a skill of this project",
    async run(chat, given) {
      const [name = "", ...words] = given.split(/\s+/);
      const skills = await skillsOf(chat.options.cwd, chat.io.home);
      if (skills[name] === undefined) {
        const names = Object.keys(skills);
        const known =
          names.length === 0 ? "There are none here: .agents/skills/<name>/SKILL.md" : `There are: ${names.join(", ")}`;
        return chat.say(`There is no skill ${name}. ${known}`, "warning");
      }
      const task = words.join(" ");
      chat.prompts.send({ text: `Use the skill ${name}${task === "" ? "." : ` for this: ${task}`}` });
    },
  },
  {
    name: "skills",
    group: "input",
    help: "the skills that can be used here",
    async run(chat) {
      const skills = Object.entries(await skillsOf(chat.options.cwd, chat.io.home));
      const rows = skills.map(([name, { description }]) => `/skill:${name}  ${description}`);
      chat.say(rows.length === 0 ? "No skills here: .agents/skills/<name>/SKILL.md" : rows.join("\n"));
    },
  },
  {
    name: "mcp",
    group: "input",
    argument: "[test]",
    help: "the MCP servers of .agents/mcp.json; test starts them and lists their tools",
    async run(chat, what) {
      const { listServers, testServers } = await import("../commands/mcp.ts");
      const { cwd } = chat.options;
      await runShellCommand(chat, (io) => (what === "test" ? testServers([], { cwd }, io) : listServers({ cwd }, io)));
    },
  },
];

async function skillsOf(cwd: string, home: string) {
  const { loadSkills } = await import("@muster/codebuff-sdk");
  return loadSkills({ cwd, home });
}
