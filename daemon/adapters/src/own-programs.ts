/** The programs of ours that are an agent or serve one, by the name under which a single executable runs them. */
const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  "amp-permission": () => import("./amp/run/permission-main.ts"),
  mock: () => import("./mock/run/program/main.ts"),
};

/** Called with `__agent <name> …` on the command line. The program sees its own arguments, as if it had been started by its file. */
export async function runOwnProgram(argv: string[]): Promise<void> {
  const [, name = ""] = argv.splice(2, 2);
  if (!Object.hasOwn(programs, name)) throw new Error(`There is no program ${name}`);
  await programs[name]?.();
}
