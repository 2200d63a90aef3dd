import type { EditFailure, EditResult, Replacement, ToolInput, ToolName } from "@muster/codebuff-protocol";
import { EditApproval } from "./access/edit-approval.ts";
import type { FileAccess } from "./access/file-access.ts";
import type { Location } from "./access/project.ts";
import { readTextFile, writeTextFile } from "./access/text-file.ts";
import { stripFence } from "./patch/patch-format.ts";
import { replaceText } from "./replace/replace-text.ts";
import { keepLineEndings } from "./text/line-endings.ts";
import { fileDiff, unifiedDiff } from "./text/unified-diff.ts";

/** Where an edit reads the old text and leaves the new one: the disk, or the proposals of a run. */
export interface EditTarget {
  /** Whether a person may have to agree before anything is written. */
  readonly needsApproval: boolean;
  /** Undefined for a file that does not exist; throws a plain Error for one that cannot be edited. */
  read(location: Location): Promise<EditedFile | undefined>;
  create(location: Location, text: string): Promise<void>;
}

interface EditedFile {
  readonly text: string;
  write(text: string): Promise<void>;
}

interface EditPorts {
  readonly access: FileAccess;
  readonly target: EditTarget;
}

export const onDisk: EditTarget = {
  needsApproval: true,
  async read({ real }) {
    const file = await readTextFile(real);
    return file && { text: file.text, write: (text) => writeTextFile(real, text, file) };
  },
  create: ({ real }, text) => writeTextFile(real, text, undefined),
};

/** Creates the file or replaces its whole content. */
export async function writeFile(
  input: ToolInput<"write_file">,
  ports: EditPorts,
  tool: ToolName = "write_file",
): Promise<EditResult | EditFailure> {
  return edit(input.path, tool, ports, async (location, agree) => {
    const file = await ports.target.read(location);
    const given = input.content.replace(/^\r?\n/, "");
    if (file === undefined) {
      const content = /\.mdx?$/i.test(location.path) ? given : stripFence(given);
      await agree(undefined, content);
      await ports.target.create(location, content);
      return { message: "Created new file", unifiedDiff: unifiedDiff("", content) };
    }
    const content = keepLineEndings(file.text, given);
    if (content === file.text) throw new Error("The file already has this content; nothing was changed");
    await agree(file.text, content);
    await file.write(content);
    return { message: "Updated file", unifiedDiff: unifiedDiff(file.text, content) };
  });
}

/** Makes the replacements that can be made surely; those that cannot are named in front of the success. */
export async function replaceInFile(
  input: ToolInput<"str_replace">,
  ports: EditPorts,
  tool: ToolName = "str_replace",
): Promise<EditResult | EditFailure> {
  return edit(input.path, tool, ports, async (location, agree) => {
    const file = await ports.target.read(location);
    if (file === undefined) throw new Error("The file does not exist; create it with write_file");
    const { text, failures, matchedBy } = replaceText(file.text, input.replacements);
    const told = failures.map((failure) => describe(failure.index, failure.message, input.replacements));
    if (failures.length === input.replacements.length) throw new Error(told.join("\n\n"));
    if (text === file.text)
      throw new Error([...told, "The replacements cancel each other; nothing was changed"].join("\n\n"));
    await agree(file.text, text);
    await file.write(text);
    return {
      message: [...told, "Updated file"].join("\n\n"),
      unifiedDiff: unifiedDiff(file.text, text),
      ...(matchedBy === undefined ? {} : { matchedBy }),
      ...(failures.length === 0 ? {} : { failed: failures.map((failure) => failure.index) }),
    };
  });
}

/** Resolves when the change may be written. */
type Agree = (before: string | undefined, after: string) => Promise<void>;

async function edit(
  given: string,
  tool: ToolName,
  { access, target }: EditPorts,
  make: (location: Location, agree: Agree) => Promise<Omit<EditResult, "file">>,
): Promise<EditResult | EditFailure> {
  const approval = new EditApproval(access, tool);
  let file = given;
  try {
    const location = await approval.open(given);
    file = location.path;
    const agree: Agree = async (before, after) => {
      if (target.needsApproval) await approval.obtain(fileDiff({ file, before, after }));
    };
    return { file, ...(await make(location, agree)) };
  } catch (error) {
    return { file, errorMessage: await approval.explain(error) };
  }
}

function describe(index: number, message: string, all: readonly Replacement[]): string {
  return all.length === 1 ? message : `Replacement ${index + 1} of ${all.length}: ${message}`;
}
