import { printable } from "./printable.ts";

export interface ProgressStep {
  stage: string;
  receivedBytes?: number;
  totalBytes?: number;
  detail?: string;
}

const width = 30;

/** `downloading [#########---------------------]  31% 52.1 of 168.9 MB` */
export function progressLine({ stage, receivedBytes, totalBytes, detail = "" }: ProgressStep): string {
  if (receivedBytes === undefined) return printable(`${stage} ${fileName(detail)}`.trimEnd()).slice(0, 79);
  if (!totalBytes) return `${printable(stage)} ${megabytes(receivedBytes)} MB`;
  const share = Math.min(1, receivedBytes / totalBytes);
  const bar = "#".repeat(Math.round(share * width)).padEnd(width, "-");
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${printable(stage)} [${bar}] ${percent} ${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB`;
}

/** Of an address what is fetched from it; other words as they are. */
function fileName(detail: string): string {
  return /^https?:/.test(detail) ? detail.slice(detail.lastIndexOf("/") + 1) : detail;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
