import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeProject, pictureOf } from "../../../../machine/snapshots/test/snapshots-fixture.ts";
import { Terminal } from "../../src/terminal/index.ts";

test("what a command in the terminal did is undone with the rest", async () => {
  const project = makeProject();
  project.write("src/a.ts", "a\n");
  project.write("src/b.ts", "b\n");
  const before = pictureOf(project.root);
  const terminal = new Terminal({ root: project.root, stateDirectory: join(project.base, "state"), environment: {} });
  onTestFinished(() => terminal.close());
  const snapshots = await project.open();
  await snapshots.checkpoint("x");
  const command =
    "mv src/a.ts moved.ts; chmod 700 src/b.ts; rm -r src; mkdir -p new/empty; ln -s moved.ts src; date >> c";
  expect(await terminal.run({ command })).toMatchObject({ exitCode: 0 });
  await snapshots.settle();
  await snapshots.undo();
  expect(pictureOf(project.root)).toEqual(before);
});
