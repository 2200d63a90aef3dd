import type { OpenOptions } from "../../adapter.ts";
import type { Converter } from "../../converter/converter.ts";
import { majorOf } from "../../install/release/driven-version.ts";
import type { ServerProtocol } from "../../shared-server/demultiplexer.ts";
import { opencodeConverter } from "../converter.ts";
import { secondConverter } from "../read/second-converter.ts";
import type { OpencodeNative } from "../wire/native.ts";
import type { Settings } from "../wire/settings.ts";
import type { Accesses } from "./access.ts";
import { isFreeProviderOffered } from "./configuration.ts";
import { OpencodeHttp } from "./http.ts";
import { protocol } from "./routing.ts";
import { secondConfiguration } from "./second-configuration.ts";
import { SecondHttp } from "./second-http.ts";
import { secondProtocol } from "./second-routing.ts";

/** What differs between the major versions of OpenCode; everything else is said in the words of the first. */
export interface Dialect {
  readonly protocol: ServerProtocol;
  connect(base: string, password: string): OpencodeHttp;
  configuration(first: Readonly<Record<string, unknown>>, accesses?: Accesses): Readonly<Record<string, unknown>>;
  converter(settings: Settings): Converter<unknown, OpencodeNative>;
}

export function dialectOf(version: string, options: OpenOptions): Dialect {
  return majorOf(version) >= 2 ? second(options) : first;
}

const first: Dialect = {
  protocol,
  connect: (base, password) => new OpencodeHttp(base, password),
  configuration: (configuration) => configuration,
  converter: (settings) => hidden(opencodeConverter(settings)),
};

function second(options: OpenOptions): Dialect {
  const offersFree = isFreeProviderOffered(options);
  return {
    protocol: secondProtocol,
    connect: (base, password) => new SecondHttp(base, password, { offersFree }),
    configuration: (configuration, accesses) => secondConfiguration(configuration, options, accesses),
    converter: (settings) => hidden(secondConverter(opencodeConverter(settings), settings)),
  };
}

/** Who drives a life hands the state back as it was given. */
function hidden<State>(converter: Converter<State, OpencodeNative>): Converter<unknown, OpencodeNative> {
  return {
    initial: (resume) => converter.initial(resume),
    step: (state, input) => converter.step(state as State, input),
  };
}
