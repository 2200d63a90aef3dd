import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

export interface GuardOptions {
  /** For servers of a test on this machine. */
  readonly allowLoopback?: boolean;
  /** Answers for a name; the system's when left out. */
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>;
}

/**
 * One GET without following anything. The address that was checked is the one that is connected to: a name that answers
 * differently the second time gains nothing.
 */
export function guardedGet(url: URL, options: GuardOptions, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (url.protocol !== "http:" && url.protocol !== "https:") return reject(new Error(`${url.protocol} is not read`));
    if (url.username !== "" || url.password !== "") return reject(new Error("An address with a password is not read"));
    if (isIP(host) !== 0 && !isPublicAddress(host, options)) return reject(refusal(host, host));
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const headers = {
      accept: "text/html, text/plain, text/markdown, application/json, */*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
      "user-agent": "codebuff-read-url",
    };
    // Without an agent no connection of an earlier, unchecked request can be taken.
    const request = send(url, { headers, signal, agent: false, lookup: guardedLookup(options) }, resolve);
    request.on("error", reject);
    request.end();
  });
}

function guardedLookup(options: GuardOptions): LookupFunction {
  const resolveName = options.resolve ?? askSystem;
  return (hostname, wanted, callback) => {
    resolveName(hostname).then(
      (found) => {
        const bad = found.find(({ address }) => !isPublicAddress(address, options));
        const [first] = found;
        if (bad !== undefined) callback(refusal(hostname, bad.address), "", 4);
        else if (first === undefined) callback(new Error(`${hostname} has no address`), "", 4);
        else if (wanted.all === true) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, "", 4),
    );
  };
}

function askSystem(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
}

function refusal(host: string, address: string): Error {
  const where = host === address ? host : `${host} (${address})`;
  return new Error(`${where} is not in the public internet and is not read`);
}
