import { expect, it } from "vitest";
import { endpointOf } from "./endpoint.ts";
import { resourceAttributes } from "./resource.ts";

const service = { serviceName: "example", version: "1.2.3", scope: "example" };
const usual = { "service.name": "example", "service.version": "1.2.3" };

it.each([
  ["nothing is said", {}, usual],
  ["a name", { OTEL_SERVICE_NAME: "other" }, { ...usual, "service.name": "other" }],
  [
    "attributes",
    { OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod, team = a%2Cb" },
    { ...usual, "deployment.environment.name": "prod", team: "a,b" },
  ],
  [
    "a name among the attributes",
    { OTEL_RESOURCE_ATTRIBUTES: "service.name=of-list" },
    { ...usual, "service.name": "of-list" },
  ],
  [
    "a name in both",
    { OTEL_RESOURCE_ATTRIBUTES: "service.name=of-list,a=b", OTEL_SERVICE_NAME: "own" },
    { ...usual, "service.name": "own", a: "b" },
  ],
  ["a list with a part that is none", { OTEL_RESOURCE_ATTRIBUTES: "a=b,c" }, usual],
  ["a list that cannot be decoded", { OTEL_RESOURCE_ATTRIBUTES: "a=%ZZ" }, usual],
])("a resource is what the environment says of it: %s", (_, env, expected) => {
  expect(resourceAttributes(env, service)).toEqual(expected);
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a:1/x/" }, "http://a:1/x/v1/metrics"],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://a:1/x" }, "http://a:1/x"],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://a:1/x" }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a:1", OTEL_METRICS_EXPORTER: "none" }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a:1", OTEL_SDK_DISABLED: "true" }, undefined],
  [{}, undefined],
])("with %j metrics go to %s", (env, url) => {
  expect(endpointOf(env, "metrics")).toBe(url);
});
