import { setTimeout } from "node:timers/promises";
import type { QuestionAnswers, ToolInput } from "@muster/codebuff-protocol";
import type { CodeMap } from "../code-map/code-map.ts";
import { findFiles, type PickFiles } from "../code-map/find-files.ts";
import { readSubtree } from "../code-map/read-subtree.ts";
import type { FileAccess } from "../files/access/file-access.ts";
import type { Project } from "../files/access/project.ts";
import { applyPatch } from "../files/apply-patch.ts";
import { onDisk, replaceInFile, writeFile } from "../files/edit-files.ts";
import { proposals } from "../files/proposals.ts";
import { readFiles } from "../files/read-files.ts";
import { codeSearch } from "../search/code-search.ts";
import { glob } from "../search/glob.ts";
import { listDirectory } from "../search/list-directory.ts";
import type { GuardOptions } from "../web/guarded-request.ts";
import { readUrl } from "../web/read-url.ts";
import { json } from "./json-output.ts";
import type { CallContext, ToolHandlers } from "./tool-handler.ts";

export interface HandlerParts {
  readonly project: Project;
  readonly codeMap: CodeMap;
  readonly pickFiles?: PickFiles;
  /** Without it every question is skipped. */
  readonly askUser?: AskUser;
  readonly web?: GuardOptions;
}

export type AskUser = (input: ToolInput<"ask_user">, context: CallContext) => Promise<QuestionAnswers>;

/** Tool → handler, for one agent: what it proposes stays with it. The policy has said yes to the tool; paths and commands are asked for one by one. */
export function fileHandlers({ project, codeMap, pickFiles, askUser, web = {} }: HandlerParts): ToolHandlers {
  const disk = ({ gate }: CallContext) => ({ access: gate, target: onDisk });
  const proposal = proposals();
  const proposed = ({ gate }: CallContext) => ({ access: gate, target: proposal });
  const reading = (access: FileAccess) => ({
    access,
    referencedBy: async (path: string) => {
      const users = (await codeMap.soon({ maxAgeMs: 1000, waitMs: 2000 }))?.referencedBy(path) ?? {};
      const named = Object.entries(users).map(([symbol, files]) => [
        symbol,
        files.filter((file) => access.names(file)),
      ]);
      return Object.fromEntries(named.filter(([, files]) => files?.length));
    },
  });
  return {
    async read_files(input, { gate }) {
      const { files, images } = await readFiles(input, reading(gate));
      return [...json(files), ...images];
    },
    write_file: async (input, context) => json(await writeFile(input, disk(context))),
    str_replace: async (input, context) => json(await replaceInFile(input, disk(context))),
    apply_patch: async (input, { gate }) => json(await applyPatch(input.operation, gate)),
    propose_write_file: async (input, context) => json(await writeFile(input, proposed(context), "propose_write_file")),
    propose_str_replace: async (input, context) =>
      json(await replaceInFile(input, proposed(context), "propose_str_replace")),
    async create_plan({ path, plan }, context) {
      const input = { path, instructions: "Write the plan", content: plan };
      return json(await writeFile(input, disk(context), "create_plan"));
    },
    read_subtree: async (input, { gate }) => json(await readSubtree(input, { access: gate, codeMap })),
    code_search: async (input, { gate, signal }) => json(await codeSearch(input, { project, access: gate }, signal)),
    glob: async (input, { gate, signal }) => json(await glob(input, { project, access: gate }, signal)),
    list_directory: async (input, { gate }) => json(await listDirectory(input, { project, access: gate })),
    find_files: async (input, { gate, signal }) =>
      json(await findFiles(input, { ...reading(gate), codeMap, pickFiles }, signal)),
    async read_url(input, { gate, signal }) {
      const verdict = await gate.fetch(input.url);
      if (!verdict.ok) return json({ errorMessage: verdict.message });
      return json(await readUrl(input, { ...web, visit: (url) => gate.fetch(url) }, signal));
    },
    sleep: async ({ seconds }, { signal }) => json(await sleep(seconds, signal)),
    ask_user: async (input, context) => json(askUser === undefined ? { skipped: true } : await askUser(input, context)),
  };
}

async function sleep(seconds: number, signal: AbortSignal): Promise<{ message: string }> {
  await setTimeout(seconds * 1000, undefined, { signal }).catch(() => undefined);
  return { message: signal.aborted ? "Woken by the user" : `Slept ${seconds} s` };
}
