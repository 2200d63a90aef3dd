/** Whatever looks like a key: ours (`cb-`, `cbs-`), those of model vendors, bearer tokens, and passwords in addresses. */
const secrets =
  /\b(?:cbs?-[\w-]{8,}|sk-[\w-]{8,}|fw_[\w-]{8,})|\bBearer\s+[\w.~+/=-]+|(?<=:\/\/[^:/@\s"]*:)[^@/\s"]+(?=@)/gi;

/** A text that may be logged or shown. */
export function redact(text: string): string {
  return text.replace(secrets, "[redacted]");
}
