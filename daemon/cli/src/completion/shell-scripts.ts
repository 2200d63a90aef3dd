/** Shell → the lines that make it ask us. Each gives the words up to the cursor; nothing of ours is repeated in them. */
export const shellScripts = {
  bash: `# sandbox-daemon in bash: source <(sandbox-daemon completion bash)
_sandbox_daemon() {
  local IFS=$'\\n'
  COMPREPLY=($(sandbox-daemon __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _sandbox_daemon sandbox-daemon
`,
  zsh: `#compdef sandbox-daemon
# sandbox-daemon in zsh, after compinit: source <(sandbox-daemon completion zsh)
_sandbox_daemon() {
  local -a found
  found=("\${(@f)$(sandbox-daemon __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#found} )) && [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _sandbox_daemon sandbox-daemon
`,
  fish: `# sandbox-daemon in fish: sandbox-daemon completion fish | source
complete -c sandbox-daemon -f -a '(sandbox-daemon __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
} as const;

export type Shell = keyof typeof shellScripts;
