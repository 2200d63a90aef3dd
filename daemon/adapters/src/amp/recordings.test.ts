import { recordings } from "../../test/recordings.ts";
import { ampConverter } from "./converter.ts";

// Recorded from the build 0.0.1768018268-gcd18ba against a scripted model; the first prompts of one-shot calls, which
// are arguments there, stand where the lines repeat them.
recordings({
  folder: new URL("../../recordings/amp/", import.meta.url),
  least: 18,
  converter: () => ampConverter,
});
