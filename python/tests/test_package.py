"""The wheel and the sdist: the same bytes every time, and they run where nothing else is."""
from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from email import message_from_string
from pathlib import Path
from typing import Any

import build_backend

PROGRAM = """
import muster, muster.aio, muster.types, os
assert muster.__file__.startswith(os.environ["INSTALLED"]), muster.__file__
try:
    muster.connect("http://127.0.0.1:9", retries=0, timeout=5).client.health()
except muster.ConnectionFailure as failure:
    print(type(failure).__name__, muster.__version__)
"""


class PackageTest(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name).resolve()

    def test_the_bytes_are_the_same_every_time(self) -> None:
        for build in (build_backend.build_wheel, build_backend.build_sdist):
            files = []
            for name in ("a", "b"):
                (self.path / name).mkdir(exist_ok=True)
                files.append((self.path / name / build(str(self.path / name))).read_bytes())
            self.assertEqual(files[0], files[1])

    def test_the_wheel_holds_the_types(self) -> None:
        with zipfile.ZipFile(self.path / build_backend.build_wheel(str(self.path))) as wheel:
            self.assertIn("muster/py.typed", wheel.namelist())
            self.assertIn("muster/generated/types.py", wheel.namelist())
            self.assertFalse([name for name in wheel.namelist() if name.startswith("tests")])

    def test_both_say_where_they_come_from_and_bring_the_licence(self) -> None:
        with zipfile.ZipFile(self.path / build_backend.build_wheel(str(self.path))) as wheel:
            info = next(name.split("/")[0] for name in wheel.namelist() if name.endswith("/METADATA"))
            self.assertIn(b"Permission is hereby granted", wheel.read(f"{info}/LICENSE"))
            self.assertIn(b"# Changelog", wheel.read(f"{info}/CHANGELOG.md"))
            told = message_from_string(wheel.read(f"{info}/METADATA").decode())
        self.assertEqual(told["License"], "MIT")
        self.assertIn("coding-agent", told["Keywords"])
        self.assertIn("Typing :: Typed", told.get_all("Classifier", []))
        urls = dict(line.split(", ") for line in told.get_all("Project-URL", []))
        self.assertEqual(sorted(urls), ["Changelog", "Homepage", "Issues", "Repository"])
        # A relative link of the README leads nowhere on an index.
        self.assertEqual(re.findall(r"\]\((?!https://|#)[^)]*\)", str(told.get_payload())), [])
        with tarfile.open(self.path / build_backend.build_sdist(str(self.path))) as sdist:
            names = [Path(name).name for name in sdist.getnames()]
        self.assertIn("LICENSE", names)
        self.assertIn("CHANGELOG.md", names)

    def test_wheel_and_sdist_run_in_empty_environments(self) -> None:
        """Without a network: the package needs nothing to be built and nothing to run."""
        if not has_pip():
            self.skipTest("this Python has no venv with pip")
        for build in (build_backend.build_wheel, build_backend.build_sdist):
            made = self.path / build(str(self.path))
            environment = self.path / f"env-{made.suffix}"
            self.run_python(sys.executable, "-m", "venv", str(environment))
            python = str(environment / "bin" / "python")
            self.run_python(python, "-m", "pip", "install", "--no-index", "--quiet", str(made))
            said = self.run_python(python, "-I", "-c", PROGRAM, INSTALLED=str(environment))
            self.assertEqual(said.split()[0], "ConnectionFailure")

    def run_python(self, *command: str, **more: str) -> str:
        clean: Any = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
        done = subprocess.run(
            command, cwd=self.path, env={**clean, **more}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout


def has_pip() -> bool:
    return subprocess.run([sys.executable, "-c", "import venv, ensurepip"], stderr=subprocess.DEVNULL).returncode == 0


if __name__ == "__main__":
    unittest.main()
