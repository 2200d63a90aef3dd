import type { Node, Parser } from "web-tree-sitter";
import { loadGrammar } from "../../code-map/load-grammar.ts";
import { unescapeQuoted, wordOf, wordsOf } from "./bash-words.ts";
import { joinContinuedLines } from "./continued-lines.ts";
import { hiddenSubstitutions, looseCommands } from "./loose-commands.ts";
import type { ShellWord } from "./shell-word.ts";

export interface SimpleCommand {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly redirects: readonly Redirect[];
  /** What it reads, when that stands in the text: a here-document, or the commands before a pipe. */
  readonly stdin?: Source;
  /** Commands in `<(…)` among its words; the program reads or writes their pipes as files. */
  readonly pipes?: readonly SimpleCommand[];
}
interface Redirect {
  readonly operator: string;
  readonly target: ShellWord;
}
type Source = { readonly text: ShellWord } | { readonly commands: readonly SimpleCommand[] };

/** Things beside plain commands by which a line can run or set more than its words show. */
export type ShellFeature = "function" | "assignment" | "arithmetic" | "expansion" | "declaration" | "variable";

interface ShellReading {
  /** Every command at every depth; those inside a substitution come before the one they are in. */
  readonly commands: readonly SimpleCommand[];
  /** False when the text is no bash we can read: what was found then is a guess on the strict side. */
  readonly complete: boolean;
  readonly features: ReadonlySet<ShellFeature>;
  /** Names a loop sets. */
  readonly variables: readonly string[];
  /** What loops go through. */
  readonly loopWords: readonly ShellWord[];
}

export type ReadBash = (text: string) => ShellReading;

let loaded: Promise<ReadBash> | undefined;

/** The grammar is loaded with the first command and kept. */
export function loadBashReader(): Promise<ReadBash> {
  loaded ??= loadGrammar("tree-sitter-bash.wasm").then(
    ({ parser }) =>
      (text) =>
        readText(parser, text),
  );
  return loaded;
}

const deepest = 12;

function readText(parser: Parser, text: string, depth = 0): ShellReading {
  const readings = joinContinuedLines(withoutFalseBlanks(text)).map((variant) =>
    new Reader(parser, withBraces(withoutCoprocess(variant)), depth).read(),
  );
  const [only] = readings;
  if (readings.length === 1 && only !== undefined) return only;
  return {
    commands: readings.flatMap((reading) => reading.commands),
    complete: readings.every((reading) => reading.complete),
    features: new Set(readings.flatMap((reading) => [...reading.features])),
    variables: readings.flatMap((reading) => reading.variables),
    loopWords: readings.flatMap((reading) => reading.loopWords),
  };
}

/** Blanks for the grammar, letters for bash: a `#` after one begins no comment, and what follows it is run. */
function withoutFalseBlanks(text: string): string {
  return text.replaceAll(/[\r\v\f]/g, "\u0001");
}

/** The grammar has no `coproc`; in front of a compound command it would take that apart. */
function withoutCoprocess(text: string): string {
  const keyword = /\bcoproc[ \t]+(?:[A-Za-z_]\w*[ \t]+)?(?=[{(]|(?:while|until|for|if|case|select)\b)/g;
  return text.replace(keyword, "");
}

/** The grammar cuts a word at a variable without braces (`-rf$IFS/`), and this one is what a word is cut at on purpose. */
function withBraces(text: string): string {
  return text.replaceAll(/(?<!\\)\$IFS(?!\w)/g, () => "$" + "{IFS}");
}

class Reader {
  readonly #parser: Parser;
  readonly #text: string;
  readonly #depth: number;
  readonly #commands: SimpleCommand[] = [];
  readonly #features = new Set<ShellFeature>();
  readonly #variables: string[] = [];
  readonly #loopWords: ShellWord[] = [];
  #complete: boolean;

  constructor(parser: Parser, text: string, depth: number) {
    this.#parser = parser;
    this.#text = text;
    this.#depth = depth;
    this.#complete = depth < deepest;
  }

  read(): ShellReading {
    const tree = this.#complete ? this.#parser.parse(this.#text) : null;
    try {
      if (tree === null || tree.rootNode.hasError) {
        this.#complete = false;
        this.#commands.push(...looseCommands(this.#text));
      }
      if (tree !== null) this.#visit(tree.rootNode, undefined);
    } finally {
      tree?.delete();
    }
    return {
      commands: this.#commands,
      complete: this.#complete,
      features: this.#features,
      variables: this.#variables,
      loopWords: this.#loopWords,
    };
  }

  /** The commands a node holds. */
  #visit(node: Node, stdin: Source | undefined): readonly SimpleCommand[] {
    const before = this.#commands.length;
    this.#enter(node, stdin);
    return this.#commands.slice(before);
  }

  #enter(node: Node, stdin: Source | undefined): void {
    switch (node.type) {
      case "command":
        return this.#command(node, stdin, []);
      case "redirected_statement":
        return this.#redirected(node, stdin);
      case "pipeline":
        return this.#pipeline(node, stdin);
      case "test_command":
        return this.#test(node);
      case "function_definition":
        this.#features.add("function");
        return this.#children(node, stdin);
      case "declaration_command":
      case "unset_command":
        return this.#declaration(node);
      case "variable_assignment":
        return this.#assignment(node);
      case "for_statement":
        this.#variables.push(node.childForFieldName("variable")?.text ?? "");
        for (const value of node.childrenForFieldName("value"))
          if (value !== null) this.#loopWords.push(...wordsOf(value));
        return this.#children(node, stdin);
      case "c_style_for_statement":
      case "arithmetic_expansion":
      case "subscript":
        this.#features.add("arithmetic");
        return this.#children(node, stdin);
      case "expansion":
        if (!/^\$\{\w+\}$/.test(node.text)) this.#features.add("expansion");
        this.#features.add("variable");
        return this.#children(node, stdin);
      case "simple_expansion":
        this.#features.add("variable");
        return;
      case "raw_string":
      case "comment":
      case "ansi_c_string":
      case "heredoc_start":
      case "heredoc_end":
        return;
      default:
        return this.#children(node, stdin);
    }
  }

  #children(node: Node, stdin: Source | undefined): void {
    if (node.namedChildCount === 0) return this.#leaf(node.text);
    for (const child of node.namedChildren) if (child !== null) this.#enter(child, stdin);
  }

  /** The grammar leaves some substitutions as plain text, such as backticks inside `${x:-…}`. */
  #leaf(text: string): void {
    for (const inner of hiddenSubstitutions(text)) this.#nested(inner);
  }

  #nested(text: string): void {
    const inner = readText(this.#parser, text, this.#depth + 1);
    this.#commands.push(...inner.commands);
    this.#complete &&= inner.complete;
    for (const feature of inner.features) this.#features.add(feature);
    this.#variables.push(...inner.variables);
    this.#loopWords.push(...inner.loopWords);
  }

  #command(node: Node, given: Source | undefined, outer: readonly Redirect[]): void {
    const words: ShellWord[] = [];
    const assignments: { name: string; value: ShellWord }[] = [];
    const redirects: Redirect[] = [...outer];
    const pipes: SimpleCommand[] = [];
    let stdin = given;
    for (const child of node.namedChildren) {
      if (child === null) continue;
      const inner = child.type === "variable_assignment" ? this.#visitValue(child) : this.#visit(child, undefined);
      switch (child.type) {
        case "variable_assignment":
          assignments.push(assignmentOf(child));
          break;
        case "file_redirect":
          redirects.push(...redirectsOf(child));
          stdin = pipeInto(child, inner) ?? stdin;
          break;
        case "herestring_redirect":
          stdin = { text: hereString(child) };
          break;
        case "process_substitution":
          pipes.push(...inner);
          words.push(...wordsOf(child));
          break;
        default:
          words.push(...wordsOf(child));
      }
    }
    // `(( … ))` is a command whose name is an expression; its inside has been visited.
    if (words[0] !== undefined && node.childForFieldName("name")?.namedChild(0)?.type === "arithmetic_expansion")
      return;
    this.#commands.push({ words, assignments, redirects, stdin, pipes });
  }

  #visitValue(assignment: Node): readonly SimpleCommand[] {
    const before = this.#commands.length;
    this.#children(assignment, undefined);
    return this.#commands.slice(before);
  }

  #redirected(node: Node, given: Source | undefined): void {
    const body = node.childForFieldName("body");
    const redirects: Redirect[] = [];
    let stdin = given;
    const followers: { node: Node; piped: boolean }[] = [];
    for (const child of node.childrenForFieldName("redirect")) {
      if (child === null) continue;
      if (child.type === "file_redirect") {
        redirects.push(...redirectsOf(child));
        stdin = pipeInto(child, this.#visit(child, undefined)) ?? stdin;
      } else if (child.type === "herestring_redirect") {
        this.#visit(child, undefined);
        stdin = { text: hereString(child) };
      } else {
        stdin = { text: this.#hereDocument(child, redirects, followers) };
      }
    }
    const before = this.#commands.length;
    if (body?.type === "command") this.#command(body, stdin, redirects);
    else {
      if (body !== null) this.#enter(body, stdin);
      if (redirects.length > 0) this.#commands.push({ words: [], assignments: [], redirects });
    }
    const first = this.#commands.slice(before);
    for (const follower of followers) this.#enter(follower.node, follower.piped ? { commands: first } : given);
  }

  /** The rest of the line after `<<EOF` hangs in the tree below the here-document. */
  #hereDocument(node: Node, redirects: Redirect[], followers: { node: Node; piped: boolean }[]): ShellWord {
    const start = node.namedChildren.find((child) => child?.type === "heredoc_start")?.text ?? "";
    const isLiteral = /['"\\]/.test(start);
    let text = "";
    let sure = true;
    for (const child of node.namedChildren) {
      if (child === null) continue;
      if (child.type === "heredoc_body") {
        text = isLiteral ? child.text : unescapeQuoted(child.text);
        if (isLiteral) continue;
        const isPlain = child.namedChildren.every((piece) => piece?.type === "heredoc_content");
        sure = isPlain && hiddenSubstitutions(child.text).length === 0;
        // What stands between the pieces the grammar knows is looked through as well.
        if (isPlain) this.#leaf(child.text);
        else this.#children(child, undefined);
      } else if (child.type === "file_redirect") {
        redirects.push(...redirectsOf(child));
        this.#visit(child, undefined);
      } else if (child.type !== "heredoc_start" && child.type !== "heredoc_end") {
        followers.push({ node: child, piped: child.type === "pipeline" });
      }
    }
    return { text, sure };
  }

  #pipeline(node: Node, given: Source | undefined): void {
    let stdin = given;
    for (const stage of node.namedChildren) {
      if (stage !== null && stage.type !== "comment") stdin = { commands: this.#visit(stage, stdin) };
    }
  }

  #test(node: Node): void {
    const name = node.child(0)?.text ?? "[";
    if (name === "((") this.#features.add("arithmetic");
    const words: ShellWord[] = [{ text: name, sure: true }];
    const collect = (part: Node) => {
      const isWord = !/_expression$|^test_command$/.test(part.type);
      if (isWord) words.push(...wordsOf(part));
      else
        for (const child of part.children) {
          if (child?.isNamed) collect(child);
          else if (child !== null && !/^(?:\[\[?|\]\]?|\(|\))$/.test(child.text))
            words.push({ text: child.text, sure: true });
        }
    };
    collect(node);
    this.#children(node, undefined);
    if (name !== "((") this.#commands.push({ words, assignments: [], redirects: [] });
  }

  #declaration(node: Node): void {
    this.#features.add("declaration");
    this.#children(node, undefined);
    const words = node.children.flatMap((child) => (child === null ? [] : [wordOf(child)]));
    const [name, ...rest] = words;
    if (name !== undefined)
      this.#commands.push({ words: [{ text: name.text, sure: true }, ...rest], assignments: [], redirects: [] });
  }

  #assignment(node: Node): void {
    this.#features.add("assignment");
    this.#children(node, undefined);
    this.#commands.push({ words: [], assignments: [assignmentOf(node)], redirects: [] });
  }
}

function assignmentOf(node: Node): { name: string; value: ShellWord } {
  const value = node.childForFieldName("value");
  return {
    name: node.childForFieldName("name")?.text ?? "",
    value: value === null ? { text: "", sure: true } : wordOf(value),
  };
}

function redirectsOf(node: Node): Redirect[] {
  const operator = node.children.find((child) => child !== null && !child.isNamed)?.text ?? ">";
  return node.childrenForFieldName("destination").flatMap((target) => {
    if (target === null || target.type === "process_substitution") return [];
    return wordsOf(target).map((word) => ({ operator, target: word }));
  });
}

/** `< <(…)` feeds the command like a pipe does. */
function pipeInto(redirect: Node, inner: readonly SimpleCommand[]): Source | undefined {
  const isPipe = redirect.childForFieldName("destination")?.type === "process_substitution";
  return isPipe ? { commands: inner } : undefined;
}

function hereString(node: Node): ShellWord {
  const value = node.namedChild(0);
  return value === null ? { text: "", sure: false } : wordOf(value);
}
