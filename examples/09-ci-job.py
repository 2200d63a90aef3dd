"""A CI job: when the test fails, an agent mends the code, within a budget: npm run example 09 py mends a small project; DIRECTORY=… TEST="npm test" takes yours"""
import os
import subprocess
import sys
import muster

env = os.environ.get
directory = env("DIRECTORY", os.getcwd())


def run_test():
    return subprocess.run(env("TEST", "npm test"), shell=True, cwd=directory, capture_output=True, text=True)


before = run_test()
if before.returncode == 0:
    sys.exit(0)
print("the test fails")

with muster.connect() as daemon:
    gateway = {"base_url": env("MODEL_URL"), "token": env("MODEL_TOKEN")}  # if the model is behind one
    session = daemon.session(
        agent=env("AGENT", "codebuff"),
        directory=directory,
        permission_mode="bypass",  # nobody is there to ask: run it where it can do no harm
        limits={"budgetUsd": float(env("BUDGET_USD", "1")), "turnMs": 15 * 60_000},
        **{name: value for name, value in gateway.items() if value},
    )
    output = (before.stdout + before.stderr)[-10_000:]
    try:
        session.ask(f"This test fails. Mend the code, not the test.\n\n{output}")
    except muster.TurnFailed as failed:
        print(f"the agent gave up: {failed.code}")
    cost = daemon.client.sessions.get(session.id)["costUsd"]

is_mended = run_test().returncode == 0
print(f"{'mended' if is_mended else 'not mended'} for ${cost:.4f}")
sys.exit(0 if is_mended else 1)
