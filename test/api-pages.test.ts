import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, makeHome, spawnIn } from "../daemon/client/test/client-world.ts";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../docs/api/", import.meta.url));
const python = fileURLToPath(new URL("../python", import.meta.url));
const pages = readdirSync(folder).filter((name) => !["README.md", "types.md"].includes(name));

/** The examples of the reference are what a person copies: each of them is run. TypeScript is compiled by packed-client. */
describe("the pages of the API", () => {
  let home: Home;
  let daemon: Awaited<ReturnType<typeof spawnIn>>;
  beforeAll(async () => {
    home = await makeHome();
    daemon = await spawnIn(home);
    await daemon.session("s1", { agent: "mock", directory: home.directory }).ask("echo hello");
  });
  afterAll(async () => {
    await daemon.close();
    await home.remove();
  });

  it.each(pages)("%s: curl gets the answer or a problem of the page", async (name) => {
    const page = readFileSync(folder + name, "utf8");
    const command = block(page, "sh");
    const env = { ...home.env, U: daemon.endpoint, T: `Authorization: Bearer ${daemon.token}` };
    const told = "%{stderr}%{http_code}";
    const { stdout, stderr } = await run("sh", ["-c", `${command} --max-time 3 -w '${told}'`], { env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    const status = Number(stderr.slice(-3));
    if (status < 400) expect([200, 201, 202, 204]).toContain(status);
    else expect(page).toContain(`\`${JSON.parse(stdout).code}\` (${status})`);
  });

  it("Python knows every call", async () => {
    const blocks = pages.map((name) => block(readFileSync(folder + name, "utf8"), "python")).filter(Boolean);
    const program = `import json, sys, muster
daemon = muster.connect("http://127.0.0.1:9", retries=0)
for block in json.loads(sys.argv[1]):
    try:
        exec(block)
    except muster.ConnectionFailure:
        continue
    raise SystemExit("nobody was asked: " + block)
`;
    await run("python3", ["-c", program, JSON.stringify(blocks)], { cwd: python });
    expect(blocks.length).toBeGreaterThan(20);
  });
});

function block(page: string, language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``).exec(page)?.[1] ?? "";
}
