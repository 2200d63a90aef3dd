import type { DialogStack } from "../dialogs/dialog-stack.ts";
import { shortPath } from "../text/short-path.ts";

/** The home directory and everything above it: nobody wants an agent to read all of that. */
export function isNoProject(cwd: string, home: string): boolean {
  return cwd === home || home.startsWith(cwd.endsWith("/") ? cwd : `${cwd}/`);
}

/** Where to work instead: one of the projects used last. Undefined when the person stays, or there is none yet. */
export async function chooseProject(dialogs: DialogStack, home: string): Promise<string | undefined> {
  const { recentProjects } = await import("@muster/codebuff-sdk");
  const projects = (await recentProjects({ home })).filter(({ cwd }) => !isNoProject(cwd, home));
  if (projects.length === 0) return undefined;
  const chosen = await dialogs.choose<string | undefined>({
    title: "This is no project. Which of yours?",
    choices: [
      ...projects.map(({ cwd }) => ({ label: shortPath(cwd, home), value: cwd })),
      { label: "Stay here", help: "files are neither listed nor kept for undo", value: undefined },
    ],
    escape: "stays here",
  });
  return chosen?.values[0];
}
