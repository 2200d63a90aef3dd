import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { Skill } from "@muster/codebuff-protocol";
import { readRegular } from "@muster/node";
import { z } from "zod";
import { readFrontMatter } from "./front-matter.ts";
import { howToTrust, type Trust, type TrustItem } from "./trust.ts";

export type SkillsMap = Record<string, Skill>;

export interface LoadSkillsOptions {
  cwd?: string;
  /** Only this folder. */
  skillsPath?: string;
  verbose?: boolean;
  home?: string;
  warn?: (message: string) => void;
  /** Skills of the project are left out until they have been accepted; undefined: the caller vouches for them. */
  trust?: Trust;
}

/** `<name>/SKILL.md` with front matter. Later folders win: home before project, `.claude` before `.agents`. */
export async function loadSkills(options: LoadSkillsOptions = {}): Promise<SkillsMap> {
  const { cwd = process.cwd(), skillsPath, verbose = false, home = homedir() } = options;
  const warn = options.warn ?? ((message: string) => void (verbose && process.stderr.write(`${message}\n`)));
  const own = skillsPath === undefined ? skillFolders(home) : [skillsPath];
  const folders = skillsPath === undefined ? [...own, ...skillFolders(cwd)] : own;
  const skills: SkillsMap = {};
  for (const folder of new Set(folders)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.sort()) {
      const path = join(folder, name, "SKILL.md");
      const text = await textOf(path);
      if (text === undefined) continue;
      // By the folder's whole name: a project may lie in a hidden directory of the home directory.
      const isOwn = own.includes(folder);
      if (
        !isOwn &&
        options.trust !== undefined &&
        !(await options.trust.accepts({ kind: "skill", path, content: text }))
      ) {
        warn(`${path}: not used: this skill has not been accepted yet; ${howToTrust}`);
        continue;
      }
      const skill = await readSkill(name, text);
      if (typeof skill === "string") warn(`${path}: ${skill}`);
      else skills[name] = skill;
    }
  }
  return skills;
}

function skillFolders(root: string): string[] {
  return [join(root, ".claude", "skills"), join(root, ".agents", "skills")];
}

/** Undefined where no file is; a pipe in its place would keep the run from beginning. */
function textOf(path: string): Promise<string | undefined> {
  return readRegular(path).then(String, () => undefined);
}

/** The skills a project brings, for a person to accept. */
export async function projectSkillFiles(root: string, home: string): Promise<TrustItem[]> {
  const items: TrustItem[] = [];
  if (root === home) return items;
  for (const folder of skillFolders(root)) {
    for (const name of (await readdir(folder).catch(() => [])).sort()) {
      const path = join(folder, name, "SKILL.md");
      const content = await textOf(path);
      if (content !== undefined) items.push({ kind: "skill", path, content });
    }
  }
  return items;
}

const namePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The skill, or what is wrong with it. */
async function readSkill(directory: string, text: string): Promise<Skill | string> {
  const page = await readFrontMatter(text);
  if (page === undefined) return "it has no front matter";
  const { fields, body, fault } = page;
  if (fault !== undefined) return `its front matter cannot be read: ${fault}`;
  const skill = Skill.safeParse({ ...z.record(z.string(), z.json()).catch({}).parse(fields), content: body.trim() });
  if (!skill.success) return z.prettifyError(skill.error).replaceAll("\n", " ");
  if (skill.data.name !== directory) return `its name is ${skill.data.name}, its directory is ${directory}`;
  if (!namePattern.test(skill.data.name)) return "its name must be lower-case words with dashes between them";
  if (skill.data.description === "") return "it has no description";
  return skill.data;
}
