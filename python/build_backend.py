"""
Makes the wheel and the sdist (PEP 517) with the standard library alone: `pip wheel .`, `python -m build` and
`python3 build_backend.py <directory>` work without a network, and give the same bytes every time.
"""
from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

HERE = Path(__file__).resolve().parent
NAME = "muster-client"
SOURCES = ("README.md", "build_backend.py", "pyproject.toml")
#: Of the whole repository; an sdist has them beside this file.
DOCUMENTS = ("LICENSE", "CHANGELOG.md")
#: 1980-01-01, the first day a zip file knows.
EPOCH = 315532800


def build_wheel(
    directory: str, config_settings: Optional[Dict[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    files = [(name, (HERE / name).read_bytes()) for name in _package()]
    info = f"{_stem()}.dist-info"
    files += [
        (f"{info}/METADATA", _metadata().encode()),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: muster\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
        *((f"{info}/{name}", _beside(name)) for name in DOCUMENTS),
    ]
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    wheel = f"{_stem()}-py3-none-any.whl"
    with zipfile.ZipFile(Path(directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


def build_sdist(directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    files = [(name, (HERE / name).read_bytes()) for name in (*SOURCES, *_package())]
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        documents = [(name, _beside(name)) for name in DOCUMENTS]
        for name, data in [*files, *documents, ("PKG-INFO", _metadata().encode())]:
            entry = tarfile.TarInfo(f"{_stem()}/{name}")
            entry.size, entry.mode, entry.mtime = len(data), 0o644, EPOCH
            archive.addfile(entry, io.BytesIO(data))
    sdist = f"{_stem()}.tar.gz"
    Path(directory, sdist).write_bytes(gzip.compress(content.getvalue(), mtime=EPOCH))
    return sdist


def _package() -> List[str]:
    return sorted(
        path.relative_to(HERE).as_posix()
        for path in (HERE / "muster").rglob("*")
        if path.suffix == ".py" or path.name == "py.typed"
    )


def _beside(name: str) -> bytes:
    own = HERE / name
    return (own if own.exists() else HERE.parent / name).read_bytes()


def _stem() -> str:
    return f"{NAME.replace('-', '_')}-{_version()}"


def _version() -> str:
    return _find(r'^VERSION = "(.+)"$', "muster/generated/version.py")


def _metadata() -> str:
    fields: List[Tuple[str, str]] = [
        ("Metadata-Version", "2.1"),
        ("Name", NAME),
        ("Version", _version()),
        ("Summary", _find(r'^description = "(.+)"$', "pyproject.toml")),
        ("License", _find(r'^license = "(.+)"$', "pyproject.toml")),
        ("License-File", "LICENSE"),
        ("Author", _find(r'^authors = \[\{ name = "(.+)" \}\]$', "pyproject.toml")),
        ("Keywords", ",".join(_texts("keywords = "))),
        *(("Classifier", text) for text in _texts("classifiers = ")),
        *(("Project-URL", f"{name}, {url}") for name, url in _urls()),
        ("Requires-Python", _find(r'^requires-python = "(.+)"$', "pyproject.toml")),
        ("Description-Content-Type", "text/markdown"),
    ]
    return "".join(f"{name}: {value}\n" for name, value in fields) + "\n" + (HERE / "README.md").read_text("utf-8")


def _texts(begin: str) -> List[str]:
    """The texts of a list in pyproject.toml: Python reads TOML itself only since 3.11."""
    text = (HERE / "pyproject.toml").read_text("utf-8")
    return re.findall(r'"([^"]*)"', text[text.index(begin) : text.index("]", text.index(begin))])


def _urls() -> List[Tuple[str, str]]:
    text = (HERE / "pyproject.toml").read_text("utf-8")
    return re.findall(r'^(\w+) = "(https://[^"]*)"$', text[text.index("[project.urls]") :], re.MULTILINE)


def _find(pattern: str, file: str) -> str:
    found = re.search(pattern, (HERE / file).read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise LookupError(f"{file} has no line {pattern}")
    return found.group(1)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else "dist"
    Path(target).mkdir(parents=True, exist_ok=True)
    for made in (build_wheel(target), build_sdist(target)):
        print(Path(target, made))
