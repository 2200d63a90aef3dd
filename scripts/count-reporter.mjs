/** Ends the output of a test run with plain lines that any reader of a log understands: what was skipped and why, what needed a second try, the counts. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const lines = [];
    for (const module of modules) {
      // What goes wrong around tests, in a hook, fails none of them by name.
      for (const around of [module, ...module.children.allSuites()]) if (around.errors().length > 0) count.failed++;
      for (const test of module.children.allTests()) {
        const { state, note, errors } = test.result();
        if (state in count) count[state]++;
        if (state === "skipped" && note) lines.push(`skipped, ${note}: ${module.relativeModuleId} > ${test.fullName}`);
        if (test.diagnostic()?.flaky) {
          const why = errors?.[0]?.message.split("\n")[0] ?? "no reason given";
          lines.push(`passed only at the second try (${why}): ${module.relativeModuleId} > ${test.fullName}`);
        }
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    lines.push(`${count.passed} passed, ${count.failed} failed${skipped}`);
    process.on("exit", () => process.stdout.write(`\n${lines.join("\n")}\n`));
  }
}
