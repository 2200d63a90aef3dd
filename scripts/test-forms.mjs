/** `npm run test:forms`: the tests that see the daemon from outside, with each form of it that one can install. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prepare } from "./prepare.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});
prepare();
// Only now: they need what was just installed.
const { forms, makeForm } = await import("./forms/make-form.mjs");
const { runSuites } = await import("./forms/run-suites.mjs");
if (values.help) process.stdout.write(help());
else process.exitCode = await testForms(positionals.length > 0 ? positionals : ["bundle", "executable"]);

async function testForms(wanted) {
  let code = 0;
  for (const form of wanted) {
    const folder = await mkdtemp(join(tmpdir(), "muster-form-"));
    try {
      const made = await makeForm(form, folder);
      const told = await runSuites({ ...made, report: join(folder, "report.json"), isShort: values.short });
      process.stdout.write(`${form}: ${told.passed} passed, ${told.failed} failed, ${told.seconds.toFixed(0)} s\n`);
      for (const failure of told.failures) process.stdout.write(`${failure}\n`);
      if (!told.isFine) code = 1;
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  return code;
}

function help() {
  const rows = Object.entries(forms).map(([name, { is }]) => `  ${name.padEnd(12)}${is}`);
  return `npm run test:forms -- [options] [form…]

${rows.join("\n")}
  <program>   any other: a file for this Node (.js, .cjs), or an executable

  --short     only the conformance suite, a burst, kills and bad input, as npm test does it

Without a form: bundle and executable. All tests that see the daemon from outside and need nothing else of the machine.
`;
}
