import { ampCredentials } from "./amp/credentials.ts";
import { ampRelease } from "./amp/release.ts";
import { claudeCredentials } from "./claude/credentials.ts";
import { claudeRelease } from "./claude/release.ts";
import { codebuffCredentials } from "./codebuff/credentials.ts";
import { codebuffRelease } from "./codebuff/release.ts";
import { codexCredentials } from "./codex/credentials.ts";
import { codexRelease } from "./codex/release.ts";
import type { AgentCredentials } from "./credentials/discovery.ts";
import { type Installable, installable } from "./install/installable.ts";
import { opencodeCredentials } from "./opencode/credentials.ts";
import { opencodeRelease } from "./opencode/release.ts";

/** agent → where its keys are found. The mock needs none. */
export const agentCredentials = {
  claude: claudeCredentials,
  codex: codexCredentials,
  opencode: opencodeCredentials,
  amp: ampCredentials,
  codebuff: codebuffCredentials,
} as const satisfies Record<string, AgentCredentials>;

/** agent → how it is found and installed, whether or not it can be driven yet. */
export const installables: Readonly<Record<string, Installable>> = {
  claude: installable(claudeRelease, claudeCredentials),
  codex: installable(codexRelease, codexCredentials),
  opencode: installable(opencodeRelease, opencodeCredentials),
  amp: installable(ampRelease, ampCredentials),
  codebuff: installable(codebuffRelease, codebuffCredentials),
};
