import { useEffect, useState } from "preact/hooks";
import type { Token } from "../highlight/highlighter.ts";
import { CopyButton } from "./copy-button.tsx";
import { SafeText } from "./safe-text.tsx";
import { ScrollRegion } from "./scroll-region.tsx";

type Highlight = (text: string, language: string) => Token[] | undefined;
let highlight: Highlight | undefined;
/** More would hold up the page. */
const longest = 30_000;

/** Code with its colours, which come a moment later and only when there is code to colour. */
export function Code({ text, language }: { text: string; language?: string }) {
  const [tokens, setTokens] = useState<Token[]>();
  const isKnown = language !== undefined && text.length <= longest;
  useEffect(() => {
    if (!isKnown) return setTokens(undefined);
    let isGone = false;
    void load().then((colour) => !isGone && setTokens(colour(text, language.toLowerCase())));
    return () => {
      isGone = true;
    };
  }, [text, language]);
  return (
    <div class="code">
      <div class="code-bar">
        <span>{language ?? "text"}</span>
        <CopyButton text={text} label="Copy code" />
      </div>
      <ScrollRegion class="text" label="Code">
        <pre>
          <code>
            {tokens === undefined ? (
              <SafeText text={text} code />
            ) : (
              tokens.map((token) => (
                <span class={token.scope || undefined}>
                  <SafeText text={token.text} code />
                </span>
              ))
            )}
          </code>
        </pre>
      </ScrollRegion>
    </div>
  );
}

async function load(): Promise<Highlight> {
  highlight ??= (await import("../highlight/highlighter.ts")).highlight;
  return highlight;
}
