import { Argument, Command } from "commander";
import { type Shell, shellScripts } from "../completion/shell-scripts.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";

/** `completion`: what a shell has to read so that Tab knows our commands. */
export function completionCommand({ stdout }: CommandEnvironment): Command {
  return new Command("completion")
    .description("Writes what makes Tab complete commands, options and agents in your shell")
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(shellScripts)))
    .addHelpText("after", examples)
    .action((shell: Shell) => void stdout.write(shellScripts[shell]));
}

const examples = `
Examples:
  echo 'source <(sandbox-daemon completion bash)' >> ~/.bashrc
  echo 'source <(sandbox-daemon completion zsh)' >> ~/.zshrc
  sandbox-daemon completion fish > ~/.config/fish/completions/sandbox-daemon.fish
`;
