import type { Readable } from "node:stream";

/** A pipe that nobody writes into and nobody closes must not keep a command waiting for ever. */
const firstByteMs = 3_000;

/**
 * All that comes through a pipe or a file, without blank lines around it. Resolves with undefined where nothing has come for
 * three seconds and the end has not come either: a program that starts commands often leaves their input open.
 */
export async function pipedText(stdin: Readable, withinMs = firstByteMs): Promise<string | undefined> {
  const begun = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => settle(false), withinMs);
    const settle = (isThere: boolean) => {
      clearTimeout(timer);
      stdin.off("readable", onReadable);
      resolve(isThere);
    };
    const onReadable = () => settle(true);
    stdin.on("readable", onReadable);
  });
  if (!begun) return undefined;
  let text = "";
  for await (const chunk of stdin.setEncoding("utf8")) text += chunk;
  return text.trim();
}
