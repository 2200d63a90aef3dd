import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../../docs/codebuff/", import.meta.url);
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A fence of a page. What stands behind its language says what the test does with it. */
export type Fence =
  /** `sh codebuff-guide.test.ts runs it` */
  | { readonly kind: "commands"; readonly text: string }
  /** `ts in .agents/reviewer.ts`: a file of the project, there before the commands that follow. */
  | { readonly kind: "file"; readonly text: string; readonly path: string }
  /** `text printed`: lines that the commands above print, in this order; `…` stands for anything within a line. */
  | { readonly kind: "printed"; readonly text: string };

export interface GuidePage {
  readonly name: string;
  readonly fences: readonly Fence[];
}

/** The pages of docs/codebuff that have something to run. */
export function guidePages(): GuidePage[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ name, fences: fencesOf(readFileSync(new URL(name, folder), "utf8")) }))
    .filter(({ fences }) => fences.some(({ kind }) => kind === "commands"));
}

function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```(\w+) (.+)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, info = "", text = ""]): Fence[] => {
      if (info === "codebuff-guide.test.ts runs it") return [{ kind: "commands", text }];
      if (language === "text" && info === "printed") return [{ kind: "printed", text }];
      const [, path] = /^in (\S+)$/.exec(info) ?? [];
      return path === undefined ? [] : [{ kind: "file", text, path }];
    },
  );
}

/** The lines of `expected` that do not come, in their order, in what was printed. */
export function missingLines(expected: string, printed: string): string[] {
  const lines = printed.split("\n");
  let from = 0;
  return expected.split("\n").filter((line) => {
    if (line.trim() === "") return false;
    const pattern = new RegExp(`^${line.split("…").map(escapePattern).join(".*")}$`);
    const at = lines.findIndex((one, index) => index >= from && pattern.test(one.trimEnd()));
    if (at !== -1) from = at + 1;
    return at === -1;
  });
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
