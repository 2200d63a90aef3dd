/** What `/agent` says when it is given nothing to do. */
export const agentUsage = `/agent takes a task of many steps and works on it until it is done:

  codebuff -n "/agent make the tests pass"
  codebuff -n --continue "/agent go on"      take up a task that was interrupted`;

/** A prompt as it is sent: the task of agent mode, or the prompt itself. */
export function turnOf(prompt: string): { prompt: string; agentMode: boolean } {
  const task = readAgentTask(prompt);
  return { prompt: task ?? prompt, agentMode: task !== undefined };
}

/** The task of a prompt that begins with `/agent`, empty when it has none; undefined for every other prompt. */
export function readAgentTask(prompt: string): string | undefined {
  return /^\s*\/agent(?:\s+([\s\S]*))?$/
    .exec(prompt)
    ?.slice(1)
    .map((task = "") => task.trim())[0];
}
