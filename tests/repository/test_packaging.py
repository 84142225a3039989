"""The repository is the package: what setuptools ships is what the folders hold."""

import tomllib
from typing import Any

import ruleproof
from ruleproof.tests.support.places import ROOT

NOT_SHIPPED = {"tests", "build", "dist"}


def project() -> dict[str, Any]:
    """Read pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


def folders_with_code() -> set[str]:
    """Name the visible folders that hold an `__init__.py`, as dotted packages."""
    found: set[str] = set()
    for init in ROOT.glob("[!.]*/**/__init__.py"):
        parts = init.parent.relative_to(ROOT).parts
        if parts[0] not in NOT_SHIPPED and not any(part.startswith(".") for part in parts):
            found.add(".".join(("ruleproof", *parts)))
    return found


def test_every_package_is_shipped() -> None:
    """The packages in pyproject.toml are the root and exactly the folders that hold code."""
    packages = project()["tool"]["setuptools"]["packages"]

    assert set(packages) == {"ruleproof"} | folders_with_code()
    assert len(packages) == len(set(packages))


def test_the_root_holds_two_modules() -> None:
    """Any other module at the root would be shipped as `ruleproof.<name>`."""
    assert {path.name for path in ROOT.glob("*.py")} == {"__init__.py", "__main__.py"}


def test_every_module_lies_in_a_package() -> None:
    """A folder of modules without an `__init__.py` would be missing from the wheel."""
    for name in ("spec", "model", "checker", "reports", "cli"):
        for module in (ROOT / name).rglob("*.py"):
            assert (module.parent / "__init__.py").is_file(), module


def test_the_version_is_written_twice_and_the_same() -> None:
    """The version of the distribution is the version of the package."""
    assert project()["project"]["version"] == ruleproof.__version__
