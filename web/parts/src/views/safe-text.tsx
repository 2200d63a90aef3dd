import { pieces, terminalText } from "../model/safe-text.ts";

/** A text whose unseen characters are seen. */
export function SafeText({ text, code = false }: { text: string; code?: boolean }) {
  const found = pieces(text, { code });
  if (found.length === 1 && found[0]?.isUnseen === false) return <>{text}</>;
  return (
    <>
      {found.map((piece) =>
        piece.isUnseen ? (
          <span class="unseen" title="A character that cannot be seen">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

/** What a program said to a terminal. */
export function TerminalText({ text }: { text: string }) {
  return (
    <>
      {terminalText(text).map(({ text: plain, style }) =>
        style === "" ? (
          <SafeText text={plain} code />
        ) : (
          <span class={`ansi ${style}`}>{<SafeText text={plain} code />}</span>
        ),
      )}
    </>
  );
}
