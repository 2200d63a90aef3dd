/**
 * A glob over paths with forward slashes: `*` and `?` within a name, `**` over directories, `[a-z]`, `{a,b}`.
 * A trailing slash means everything below.
 */
export function globPattern(glob: string): (path: string) => boolean {
  const source = glob.replace(/^\.\//, "").replace(/\/$/, "/**");
  const expression = new RegExp(`^${translate(source)}$`, "u");
  return (path) => expression.test(path);
}

function translate(glob: string): string {
  let result = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob[at] ?? "";
    if (glob.startsWith("**/", at) && (at === 0 || glob[at - 1] === "/")) {
      result += "(?:[^/]+/)*";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      result += ".*";
      at += 1;
    } else if (character === "*") result += "[^/]*";
    else if (character === "?") result += "[^/]";
    else if (character === "{") {
      result += "(?:";
      depth += 1;
    } else if (character === "}" && depth > 0) {
      result += ")";
      depth -= 1;
    } else if (character === "," && depth > 0) result += "|";
    else if (character === "[") {
      const set = /^\[(!|\^)?([^\]/]+)\]/.exec(glob.slice(at));
      if (set === null) result += "\\[";
      else {
        result += `[${set[1] === undefined ? "" : "^"}${(set[2] ?? "").replace(/[\\^[]/g, "\\$&")}]`;
        at += set[0].length - 1;
      }
    } else if (character === "\\" && at + 1 < glob.length) {
      at += 1;
      result += literal(glob[at] ?? "");
    } else result += literal(character);
  }
  if (depth > 0) throw new Error(`The glob ${glob} has an open brace`);
  return result;
}

function literal(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
