import core from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const languages = { bash, c, css, diff, go, java, javascript, json, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) core.registerLanguage(name, language);
core.registerAliases(["tsx", "mts", "cts"], { languageName: "typescript" });
core.registerAliases(["shell", "console", "zsh"], { languageName: "bash" });
core.registerAliases(["cpp", "h", "hpp", "c++"], { languageName: "c" });

export interface Token {
  text: string;
  /** Names of classes, the outermost first; empty for plain text. */
  scope: string;
}

interface Node {
  scope?: string;
  children: (Node | string)[];
}

/** Code as tokens, never as markup; undefined for a language that is not known. */
export function highlight(text: string, language: string): Token[] | undefined {
  if (core.getLanguage(language) === undefined) return undefined;
  const result = core.highlight(text, { language, ignoreIllegals: true });
  const { rootNode } = result._emitter as unknown as { rootNode: Node };
  const tokens: Token[] = [];
  const walk = (node: Node | string, scope: string): void => {
    if (typeof node === "string") tokens.push({ text: node, scope });
    else for (const child of node.children) walk(child, node.scope ? `hl-${node.scope.split(".")[0]}` : scope);
  };
  walk(rootNode, "");
  return tokens;
}
