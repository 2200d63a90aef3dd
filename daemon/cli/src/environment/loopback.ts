/** The daemon is on this machine, so that paths mean the same to it as here. */
export function isLoopback(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(endpoint).hostname);
}
