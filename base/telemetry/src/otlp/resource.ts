export interface ServiceOptions {
  /** `service.name` where neither OTEL_SERVICE_NAME nor OTEL_RESOURCE_ATTRIBUTES says another. */
  readonly serviceName: string;
  readonly version: string;
  /** Whose code makes the spans and the figures. */
  readonly scope: string;
}

/** What everything that is sent is about: a table of attributes, those of the environment over ours. */
export function resourceAttributes(
  env: NodeJS.ProcessEnv,
  { serviceName, version }: ServiceOptions,
): Record<string, string> {
  const given = attributesIn(env.OTEL_RESOURCE_ATTRIBUTES ?? "");
  const attributes: Record<string, string> = { "service.name": serviceName, "service.version": version, ...given };
  if (env.OTEL_SERVICE_NAME) attributes["service.name"] = env.OTEL_SERVICE_NAME;
  return attributes;
}

/** `a=1,b=2%2C3`: a list with any wrong part is no list at all, as the specification has it. */
function attributesIn(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const pair of text.split(",").filter((part) => part.trim() !== "")) {
    const [name = "", value, ...more] = pair.split("=").map((part) => part.trim());
    const decoded = value === undefined || more.length > 0 ? undefined : decode(value);
    if (name === "" || decoded === undefined) return {};
    attributes[name] = decoded;
  }
  return attributes;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign: the caller leaves the whole list out.
    return undefined;
  }
}
