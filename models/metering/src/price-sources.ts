/** A page on which somebody answerable says what a model costs. */
export interface PriceSource {
  readonly page: string;
  readonly url: string;
  /** `vendor`: whoever sells the model says it there. `record`: somebody else wrote down what the vendor said. */
  readonly by: "vendor" | "record";
  /** The day on which the table was compared with it. */
  readonly checked: string;
}

const checked = "2026-11-16";

/** Vendors' own pages where a copy of them could be read; else the record that cites them. */
export const priceSources = {
  claude: {
    page: "Claude API docs: Pricing",
    url: "https://platform.claude.com/docs/en/about-claude/pricing",
    by: "vendor",
    checked,
  },
  claudeModel: {
    page: "Claude API docs: the model's overview (release date, context window, prices)",
    url: "https://platform.claude.com/docs/en/about-claude/models/overview",
    by: "vendor",
    checked,
  },
  claudeOpus55: {
    page: "Claude API docs: Claude Opus 5.5 (prices read in the Chinese edition; released 22 September 2026)",
    url: "https://platform.claude.com/docs/zh-CN/models/opus-5-5/overview",
    by: "vendor",
    checked: "2026-11-18",
  },
  litellm: {
    page: "LiteLLM: model_prices_and_context_window.json, which cites the vendors' pages",
    url: "https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json",
    by: "record",
    checked,
  },
  openai: {
    page: "llm-prices: data/openai.json, a record of OpenAI's pricing page",
    url: "https://github.com/simonw/llm-prices/blob/main/data/openai.json",
    by: "record",
    checked,
  },
  openaiMarch2026: {
    page: "Deploybase: OpenAI pricing, a record of OpenAI's pricing page of March 2026",
    url: "https://deploybase.ai/articles/openai-pricing",
    by: "record",
    checked,
  },
  openaiCodex: {
    page: "OpenAI API docs: GPT-5-Codex",
    url: "https://developers.openai.com/api/docs/models/gpt-5-codex",
    by: "vendor",
    checked,
  },
  openaiSol61: {
    page: "AILSA SubSwitch 1.0.0(g): a record of OpenAI's model page and price table of 1 October 2026",
    url: "https://github.com/KZCFG/AILSA-SubSwitch/releases/tag/v1.0.0-g",
    by: "record",
    checked: "2026-11-18",
  },
  google: {
    page: "llm-prices: data/google.json, a record of Google's Gemini API pricing page",
    url: "https://github.com/simonw/llm-prices/blob/main/data/google.json",
    by: "record",
    checked,
  },
  googleForum2025: {
    page: "Google AI developers forum: Gemini 2.5 Pro context cache pricing (cites the pricing page of July 2025)",
    url: "https://discuss.ai.google.dev/t/gemini-2-5-pro-context-cache-pricing-per-request-vs-cumulative-token-counting/92919",
    by: "record",
    checked,
  },
  googleFlash3: {
    page: "Factquire: gemini-3-flash-preview, which quotes the Gemini API pricing page of 2026-07-04",
    url: "https://factquire.com/models/google/gemini-3-flash-preview.json",
    by: "record",
    checked,
  },
  xai: {
    page: "llm-prices: data/xai.json, a record of xAI's models and pricing page",
    url: "https://github.com/simonw/llm-prices/blob/main/data/xai.json",
    by: "record",
    checked,
  },
  fireworks: {
    page: "Fireworks docs: Serverless pricing",
    url: "https://docs.fireworks.ai/serverless/pricing",
    by: "vendor",
    checked,
  },
  fireworksKimi: {
    page: "Bifrost LLM cost calculator: Fireworks AI kimi-k2-instruct (published Fireworks pricing)",
    url: "https://www.getmaxim.ai/bifrost/llm-cost-calculator/provider/fireworks_ai/model/kimi-k2-instruct",
    by: "record",
    checked,
  },
  vercel: {
    page: "Vercel AI Gateway: MiniMax M2",
    url: "https://vercel.com/ai-gateway/models/minimax-m2",
    by: "record",
    checked,
  },
} as const satisfies Readonly<Record<string, PriceSource>>;
