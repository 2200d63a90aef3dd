import { hostname } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Texts that a terminal opens when they are clicked (OSC 8); one that does not know them shows the text alone. */
export interface Links {
  /** A file of the project, or an absolute path. */
  file(path: string, shown: string): string;
  /** An address of the web; any other text stays as it is. */
  web(address: string, shown: string): string;
}

export function linksFor(cwd: string): Links {
  // The host tells a terminal on another machine that the file is not there.
  const host = encodeURIComponent(hostname());
  return {
    file: (path, shown) => link(`file://${host}${pathToFileURL(resolve(cwd, path)).pathname}`, shown),
    web: (address, shown) => {
      // As it is read back nothing in it can end the sequence: a model's words are a stranger's.
      const url = URL.canParse(address) ? new URL(address) : undefined;
      return url !== undefined && /^https?:$/.test(url.protocol) ? link(url.href, shown) : shown;
    },
  };
}

/** Every link that a line leaves open is closed. */
export function closeLinks(line: string): string {
  return line.lastIndexOf(begin) > line.lastIndexOf(end) ? `${line}${end}` : line;
}

const begin = "\u001b]8;;";
const end = "\u001b]8;;\u001b\\";

function link(url: string, shown: string): string {
  return shown === "" ? "" : `${begin}${url}\u001b\\${shown}${end}`;
}
