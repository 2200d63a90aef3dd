import { recordings } from "../../test/recordings.ts";
import { codebuffConverter } from "./converter.ts";

// `sdk-…` are the events of the original @codebuff/sdk 0.10.7 against a scripted backend; where it never said `finish`,
// the process is taken to have ended. `cli-…` are lives of our own command on the scripted model.
recordings({
  folder: new URL("../../recordings/codebuff/", import.meta.url),
  least: 40,
  // The SDK does not say where it works: whoever runs it knows.
  converter: () => ({
    ...codebuffConverter,
    initial: (resume) => ({ ...codebuffConverter.initial(resume), directory: "/workspace" }),
  }),
});
