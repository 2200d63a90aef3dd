/** Ends the output of a test run with one plain line that any reader of a log understands. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) count.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state in count) count[state]++;
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    process.on("exit", () => process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${skipped}\n`));
  }
}
