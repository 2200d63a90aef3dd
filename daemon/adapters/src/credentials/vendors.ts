/** provider → where it is asked, without a version path */
export const vendorAddresses: Readonly<Record<string, string>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com",
  openrouter: "https://openrouter.ai/api",
  gemini: "https://generativelanguage.googleapis.com",
  groq: "https://api.groq.com/openai",
  xai: "https://api.x.ai",
  mistral: "https://api.mistral.ai",
  deepseek: "https://api.deepseek.com",
};

/** An address as sessions give it: `https://host/v1/` and `https://host` are the same endpoint. */
export function withoutVersion(url: string): string {
  return url.replace(/(\/v\d+(beta)?)?\/*$/, "");
}
