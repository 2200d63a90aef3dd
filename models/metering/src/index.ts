export { type CallCost, costOfCall } from "./cost.ts";
export { creditsShown, dollarsForCredits, nanoDollarsOf, unitsOf, unitsPerCredit } from "./credits.ts";
export { type PriceSource, priceSources } from "./price-sources.ts";
export { type Price, type PriceEntry, priceTable, type Rates } from "./price-table.ts";
export { dearestModel, modelKey, type OwnPrices, priceOf } from "./prices.ts";
export { readUsage, usageOfBody } from "./read-usage.ts";
export { charactersPerToken } from "./rough-tokens.ts";
export type { Protocol, Usage } from "./usage.ts";
