"""Builds the wheel and the source archive without anything else of Python's, and leaves nothing in the checkout."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEXT = (HERE / "pyproject.toml").read_text(encoding="utf-8")


def _value(name: str) -> str:
    found = re.search(rf'^{name} = "(.*)"$', TEXT, re.MULTILINE)
    assert found is not None, name
    return found.group(1)


NAME, VERSION = _value("name"), _value("version")
INFO = f"{NAME}-{VERSION}.dist-info"


def _metadata() -> str:
    author = re.search(r'authors = \[{ name = "(.*)" }\]', TEXT)
    urls = re.findall(r'^(\w+) = "(https://.*)"$', TEXT, re.MULTILINE)
    classifiers = re.findall(r'^    "(.* :: .*)",$', TEXT, re.MULTILINE)
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {NAME}",
        f"Version: {VERSION}",
        f"Summary: {_value('description')}",
        f"Author: {author.group(1) if author else ''}",
        "License: MIT",
        f"Requires-Python: {_value('requires-python')}",
        *(f"Project-URL: {name}, {url}" for name, url in urls),
        *(f"Classifier: {one}" for one in classifiers),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (HERE / "README.md").read_text(encoding="utf-8")


def _info_files() -> "dict[str, bytes]":
    return {
        f"{INFO}/METADATA": _metadata().encode(),
        f"{INFO}/WHEEL": b"Wheel-Version: 1.0\nGenerator: hookline\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{INFO}/licenses/LICENSE": (HERE / "LICENSE").read_bytes(),
    }


def _write_wheel(folder: str, files: "dict[str, bytes]") -> str:
    name = f"{NAME}-{VERSION}-py3-none-any.whl"
    rows = []
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append(f"{path},sha256={digest},{len(data)}\n")
            wheel.writestr(path, data)
        wheel.writestr(f"{INFO}/RECORD", "".join(rows) + f"{INFO}/RECORD,,\n")
    return name


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """The wheel of the package."""
    source = HERE / "src"
    paths = [path for path in sorted(source.rglob("*")) if path.suffix == ".py" or path.name == "py.typed"]
    files = {path.relative_to(source).as_posix(): path.read_bytes() for path in paths}
    return _write_wheel(wheel_directory, {**files, **_info_files()})


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """A wheel that points to this folder."""
    return _write_wheel(wheel_directory, {f"{NAME}.pth": f"{HERE / 'src'}\n".encode(), **_info_files()})


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """The source archive."""
    name = f"{NAME}-{VERSION}"
    files = ["pyproject.toml", "README.md", "LICENSE", "build_backend.py"]
    paths = [*(HERE / one for one in files), *sorted((HERE / "src").rglob("*.py")), HERE / "src" / NAME / "py.typed"]
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in paths:
            archive.add(path, f"{name}/{path.relative_to(HERE).as_posix()}")
        metadata = _metadata().encode()
        entry = tarfile.TarInfo(f"{name}/PKG-INFO")
        entry.size = len(metadata)
        archive.addfile(entry, io.BytesIO(metadata))
    return f"{name}.tar.gz"
