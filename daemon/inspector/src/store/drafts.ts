/** What was written and not sent, for each session, as long as the page is open. */
const drafts = new Map<string, string>();

export function keptDraft(sessionId: string): string {
  return drafts.get(sessionId) ?? "";
}

export function keepDraft(sessionId: string, text: string): void {
  if (text === "") drafts.delete(sessionId);
  else drafts.set(sessionId, text);
}
