import { z } from "zod";

/** What `--permissions` takes: how much is asked where no rule decides. */
export const PermissionPolicy = z.enum(["default", "accept-edits", "plan", "ask", "allow", "deny", "sandboxed"]);
export type PermissionPolicy = z.infer<typeof PermissionPolicy>;

export const PolicyEffect = z.enum(["allow", "ask", "deny"]);
export type PolicyEffect = z.infer<typeof PolicyEffect>;

/** The word of a permission request: what a call would do. */
export const PolicyAction = z.enum(["execute", "edit", "read", "fetch", "mcp", "other"]);
export type PolicyAction = z.infer<typeof PolicyAction>;

const described = {
  effect: PolicyEffect.describe("what happens: `allow`, `ask` or `deny`; the strictest rule that fits counts"),
  action: PolicyAction.describe("only calls that do this").optional(),
  tool: z.string().min(1).describe("a tool by name, `*` within the name; an MCP tool is `server__tool`").optional(),
  path: z.string().min(1).describe("a file of the project as a glob, or an absolute path").optional(),
  command: z
    .string()
    .min(1)
    .describe("a command as it is written; with ` *` at its end whatever begins with these words")
    .optional(),
  host: z.string().min(1).describe("the host of a page; `*.example.com` is every host below it").optional(),
  reason: z.string().describe("told to the person and to the model").optional(),
};

/** A wish of the person about calls of tools. The strictest rule that fits counts: deny before ask before allow. */
export const PolicyRule = z.strictObject(described).superRefine((rule, context) => {
  const fault = faultOf(rule);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});
export type PolicyRule = z.infer<typeof PolicyRule>;

type Fields = z.infer<z.ZodObject<typeof described>>;

function faultOf({ effect, action, tool, path, command, host }: Fields): string | undefined {
  const subjects = Object.entries({ path, command, host }).filter(([, value]) => value !== undefined);
  const [subject] = subjects.map(([name]) => name);
  if (subjects.length > 1) return "a rule is about a path, a command or a host, not about two of them";
  if (subject === undefined && tool === undefined && (action === undefined || effect === "allow"))
    return "a rule names a tool, a path, a command or a host";
  const actions = subject === undefined ? undefined : actionsOf[subject];
  if (action !== undefined && actions !== undefined && !actions.includes(action))
    return `a rule about a ${subject} has the action ${actions.join(" or ")}, not ${action}`;
  if (host !== undefined && !/^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$/.test(host))
    return "a host is a name such as docs.example.com or *.example.com, without protocol, port and path";
  return effect === "allow" && command !== undefined ? faultOfAllowed(command) : undefined;
}

const actionsOf: Readonly<Record<string, readonly PolicyAction[]>> = {
  path: ["read", "edit"],
  command: ["execute"],
  host: ["fetch"],
};

/** Programs that run whatever their words say: an allowance for all their words would be one for everything. */
const runsAnything =
  /^(?:(?:ba|z|da|k|a|fi)?sh|eval|exec|source|\.|env|sudo|doas|su|ssh|xargs|find|fd|parallel|nohup|timeout|time|nice|watch|script|npx|bunx|dlx|node|deno|bun|tsx|ts-node|python[\d.]*|perl|ruby|php|awk|gawk|sed|vim?|docker|podman|kubectl|make)$/;

function faultOfAllowed(command: string): string | undefined {
  const words = command.endsWith(" *") ? command.slice(0, -2).trim() : command;
  if (words.includes("*") || words === "") return "in an allow rule * may only be the last word";
  const [program = "", ...rest] = words.split(/\s+/);
  if (words !== command && rest.length === 0 && runsAnything.test(program.replace(/^.*\//, "")))
    return `${program} * would allow everything: name what it runs, as in ${program} build *`;
  return undefined;
}
