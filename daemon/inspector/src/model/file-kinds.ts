const pictures: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
};

/** The media type of a file that may be shown as a picture, by the end of its name. */
export function pictureType(path: string): string | undefined {
  return pictures[endingOf(path)];
}

/** What its code is written in, as far as its name tells. */
export function languageOf(path: string): string | undefined {
  const ending = endingOf(path);
  return ending === "" ? undefined : ending;
}

/** As git sees it: text has no zero byte near its beginning. */
export function isTextBytes(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 8192).includes(0);
}

function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 1 ? "" : name.slice(dot + 1).toLowerCase();
}
