/** Writes what came of a test run to the file that MUSTER_TEST_RESULT names, for the lines at the end of `npm test`. */
import { writeFileSync } from "node:fs";

export default class ResultReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const result = { passed: 0, skipped: 0, failures: [], skips: [], files: [] };
    for (const error of unhandledErrors) result.failures.push({ name: "outside of every test", why: firstLine(error) });
    for (const module of modules) {
      const file = module.relativeModuleId;
      result.files.push({ file, lane: module.project.name, ms: module.diagnostic().duration });
      // What goes wrong around tests, in a hook, fails none of them by name.
      for (const around of [module, ...module.children.allSuites()]) {
        const [error] = around.errors();
        if (error)
          result.failures.push({ file, name: `around ${around.fullName ?? "the file"}`, why: firstLine(error) });
      }
      for (const test of module.children.allTests()) {
        const { state, note, errors } = test.result();
        if (state === "passed") result.passed++;
        if (state === "failed") result.failures.push({ file, name: test.fullName, why: firstLine(errors?.[0]) });
        if (state !== "skipped") continue;
        result.skipped++;
        if (note) result.skips.push({ file, name: test.fullName, why: note });
      }
    }
    const path = process.env.MUSTER_TEST_RESULT;
    if (path !== undefined) writeFileSync(path, JSON.stringify(result));
  }
}

function firstLine(error) {
  return error?.message?.split("\n")[0] ?? "no reason given";
}
