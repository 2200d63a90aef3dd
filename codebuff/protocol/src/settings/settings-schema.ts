import { z } from "zod";
import { FileChangeHook } from "../file-change-hook.ts";
import { ModeName } from "../modes.ts";
import { PermissionPolicy, PolicyRule } from "./policy-rule.ts";

/** How a setting can be given elsewhere; `codebuff config`, the page of the documentation and the flags read it. */
export interface SettingWays {
  readonly flag?: string;
  readonly env?: string;
  readonly slash?: string;
  /** Shown as set or not set, never as it is. */
  readonly secret?: true;
}

const text = z.string().min(1);

/** `mode` is written small in files. */
export const ModeSetting = z.enum(ModeName.options.map((mode) => mode.toLowerCase()) as Lowercase<ModeName>[]);
export const VariantSetting = z.enum(["low", "medium", "high"]);
/** The names that need no file; any other is one of `~/.codebuff/themes`. */
export const builtInThemes = ["auto", "dark", "light"] as const;
const ThemeSetting = z.string().regex(/^[\w-]+$/, "must be a name of letters, digits and dashes");

export const ProviderConfig = z.strictObject({
  type: z
    .enum(["anthropic", "openai", "openai-compatible", "openrouter", "backend"])
    .describe("the protocol it speaks; `backend` is a Codebuff server"),
  baseUrl: text.describe("its address, with or without the version path").optional(),
  apiKeyEnv: text.describe("the variable that holds the key; keys of providers do not stand in this file").optional(),
  model: text.describe("the model to use here when the agent's own is another vendor's").optional(),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

export const OauthConfig = z.strictObject({
  issuer: z.string().describe("the name of who signs you in, shown when the code is asked for").optional(),
  authorizeUrl: z.url().describe("the page that asks the person"),
  tokenUrl: z.url().describe("where codes and refresh tokens are exchanged"),
  clientId: text.describe("the id of this command there"),
  scopes: z.array(z.string()).describe("what is asked for").default([]),
  redirectUri: z.url().describe("where the page sends the person back to").optional(),
  apiBaseUrl: z.url().describe("the address of its models"),
  models: z.array(z.string()).describe("names of models without vendor; `*` stands for anything").optional(),
});
export type OauthConfig = z.infer<typeof OauthConfig>;

export const StartupProcess = z.strictObject({
  name: text.describe("for people"),
  command: text.describe("run by the shell"),
  cwd: z.string().describe("its directory; the project's without").optional(),
  enabled: z.boolean().describe("`false` leaves it out").default(true),
  stdoutFile: z.string().describe("where its output goes").optional(),
  stderrFile: z.string().describe("where its errors go").optional(),
});
export type StartupProcess = z.infer<typeof StartupProcess>;

const rules = z
  .array(PolicyRule)
  .meta({ description: "what is allowed, asked for or denied whatever the policy says", slash: "/permissions" });

/** What both files may say; the project wins over the person, since it is the narrower place. */
const shared = {
  mode: ModeSetting.meta({
    description: "the mode a conversation begins in",
    flag: "--free, --max, --plan",
    env: "CODEBUFF_MODE",
    slash: "/mode:…",
  }).optional(),
  model: text
    .meta({
      description: "the model of the main agent, as vendor/model",
      flag: "--model",
      env: "CODEBUFF_MODEL",
      slash: "/model",
    })
    .optional(),
  variant: VariantSetting.meta({
    description: "how hard the model thinks",
    flag: "--variant",
    env: "CODEBUFF_VARIANT",
    slash: "/variant",
  }).optional(),
  maxAgentSteps: z
    .int()
    .min(1)
    .meta({
      description: "a run ends after so many steps of the model",
      flag: "--max-steps",
      env: "CODEBUFF_MAX_STEPS",
    })
    .optional(),
};

/** `~/.codebuff/config.json`: the person's own settings, for every project. */
export const UserSettings = z
  .strictObject({
    $schema: z.string().describe("where editors find the schema of this file").optional(),
    ...shared,
    permissions: z
      .union([
        PermissionPolicy,
        z.strictObject({
          mode: PermissionPolicy.meta({
            description: "how much is asked where no rule decides",
            flag: "--permissions",
            env: "CODEBUFF_PERMISSIONS",
            slash: "/permissions",
          }).optional(),
          rules: rules.default([]),
        }),
      ])
      .transform((given) => (typeof given === "string" ? { mode: given, rules: [] } : given))
      .describe("a policy, or an object with `mode` and `rules`")
      .optional(),
    theme: ThemeSetting.meta({
      description:
        "colours: `auto` asks the terminal for its background, `dark`, `light`, or the name of a file in `~/.codebuff/themes`",
      flag: "--theme",
      env: "CODEBUFF_THEME",
      slash: "/theme",
    }).optional(),
    vim: z
      .boolean()
      .meta({ description: "edit the prompt with the keys of vim", flag: "--vim", env: "CODEBUFF_VIM", slash: "/vim" })
      .optional(),
    keys: z
      .record(z.string(), text)
      .describe("what a key does in the chat: the name of an action of docs/codebuff/chat.md, or `none`")
      .default({}),
    provider: text
      .meta({
        description:
          "the one way to a model: `anthropic`, `openai`, `openrouter`, `gemini`, `codebuff` or a name of `providers`",
        flag: "--provider",
        env: "CODEBUFF_PROVIDER",
      })
      .optional(),
    providers: z
      .record(z.string(), ProviderConfig)
      .describe("services reached with your own key, by a name of yours")
      .default({}),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .meta({ description: "the Codebuff server", flag: "--base-url", env: "CODEBUFF_BASE_URL" })
      .optional(),
    apiKey: z
      .string()
      .meta({
        description: "a key of the Codebuff server; `codebuff login` keeps one elsewhere",
        env: "CODEBUFF_API_KEY",
        secret: true,
      })
      .optional(),
    token: z.string().meta({ description: "the same as `apiKey`, read after it", secret: true }).optional(),
    oauth: z
      .strictObject({
        claude: OauthConfig.describe("a Claude subscription").optional(),
        chatgpt: OauthConfig.describe("a ChatGPT subscription").optional(),
      })
      .meta({ description: "subscriptions `/connect` signs in to", slash: "/connect" })
      .default({}),
  })
  .describe("~/.codebuff/config.json: settings of codebuff for every project of yours");
export type UserSettings = z.infer<typeof UserSettings>;

/** `codebuff.json` or `codebuff.jsonc` of a project. It names no address and no key, and no policy: a project must not grant itself anything. */
export const ProjectSettings = z
  .strictObject({
    $schema: z.string().describe("where editors find the schema of this file").optional(),
    ...shared,
    baseAgent: text
      .meta({ description: "the agent that answers in DEFAULT mode", flag: "--agent", slash: "@agent" })
      .optional(),
    spawnableAgents: z.array(z.string()).describe("the helpers that agent may start").optional(),
    permissions: z
      .strictObject({ rules: rules.default([]) })
      .describe("rules of the project; those that allow something hold once the project is trusted")
      .optional(),
    fileChangeHooks: z
      .array(FileChangeHook)
      .describe("commands run after edits, once the project is trusted; the model reads what they say")
      .default([]),
    startupProcesses: z
      .array(StartupProcess)
      .describe("commands started with the first run, once the project is trusted")
      .default([]),
  })
  .describe("codebuff.json: settings of codebuff for one project");
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** `.codebuff/permissions.json` of a project: what was answered with "always, in this project". */
export const PermissionsFile = z
  .strictObject({
    $schema: z.string().describe("where editors find the schema of this file").optional(),
    rules: rules.default([]),
  })
  .describe(".codebuff/permissions.json: rules for one project");
export type PermissionsFile = z.infer<typeof PermissionsFile>;
