import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ToolOutput } from "@muster/codebuff-protocol";
import { onTestFinished } from "vitest";
import {
  type AgentHands,
  openWorkspace,
  type RunOptions,
  type Workspace,
  type WorkspaceOptions,
} from "../src/index.ts";

export interface ProjectFixture {
  /** The directory around the project, for siblings and outside targets. */
  readonly around: string;
  readonly root: string;
  readonly workspace: Workspace;
  /** One run that has begun, with the options that were given. */
  readonly hands: AgentHands;
  /** Runs one call and returns its whole output. */
  output(toolName: string, input: Record<string, unknown>, hands?: AgentHands): Promise<ToolOutput>;
  /** The value of the first json part. */
  value<Value = Record<string, unknown>>(
    toolName: string,
    input: Record<string, unknown>,
    hands?: AgentHands,
  ): Promise<Value>;
}

/** A project on the real disk, gone when the test has finished. */
export async function projectFixture(
  files: Readonly<Record<string, string | Buffer>> = {},
  options: Partial<WorkspaceOptions & RunOptions> = {},
): Promise<ProjectFixture> {
  const around = realpathSync(mkdtempSync(path.join(tmpdir(), "codebuff-workspace-")));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const root = path.join(around, "proj");
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) {
    const absolute = path.join(root, name);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
  }
  const workspace = await openWorkspace({ root, cacheDirectory: path.join(around, "cache"), ...options });
  onTestFinished(() => workspace.close());
  const hands = workspace.beginRun({ runId: "run-1", ...options });
  onTestFinished(() => hands.end());
  const output = async (toolName: string, input: Record<string, unknown>, by = hands) => {
    const [result] = await by.call([{ toolName, toolCallId: "call-1", input: input as never }]);
    if (result === undefined) throw new Error("no result");
    return result.output;
  };
  return {
    around,
    root,
    workspace,
    hands,
    output,
    async value(toolName, input, by) {
      const part = (await output(toolName, input, by))[0];
      if (part?.type !== "json") throw new Error("the first part is not json");
      return part.value as never;
    },
  };
}
