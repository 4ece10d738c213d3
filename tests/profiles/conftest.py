"""Fixtures of the profiles' tests: a config file with two profiles, and settings resolved from it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.profiles import Environment
from roomctl.profiles.settings import Settings, resolve

KEY = "canary-key-0123456789abcdef"


@pytest.fixture
def key() -> str:
    """A key that must never be seen in a text."""
    return KEY


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A config file: staging, the default, with a key of its own, and prod, whose key is in PROD_KEY."""
    path = tmp_path / "config.toml"
    path.write_text(
        'default_profile = "staging"\n'
        f'[profiles.staging]\nbase_url = "https://staging.example.org/"\napi_key = "{KEY}"\ntimeout = 7\n'
        f'[profiles.prod]\nbase_url = "https://rooms.example.org"\napi_key_env = "PROD_KEY"\nprotected = true\n'
    )
    path.chmod(0o600)
    return path


@pytest.fixture
def settings(config: Path) -> Callable[..., Settings]:
    """Resolve settings from the config file: `settings("prod", sandbox=False, ROOMCTL_TIMEOUT="3")`."""

    def found(profile: str | None = None, *, sandbox: bool = False, **variables: str) -> Settings:
        environment = Environment({"ROOMCTL_CONFIG": str(config), **variables})
        return resolve(environment, profile=profile, sandbox=sandbox)

    return found


@pytest.fixture
def written(config: Path) -> Callable[[str | bytes], Path]:
    """Write another text, or other bytes, to the config file."""

    def write(text: Any) -> Path:
        config.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return config

    return write
