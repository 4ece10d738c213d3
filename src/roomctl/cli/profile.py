"""`roomctl profile`: which service is asked, with which key."""

import shlex

from roomctl.cli.completion_cache import remember_profiles
from roomctl.cli.confirm import ask
from roomctl.cli.lists import first_page
from roomctl.cli.options import Commands, Takes, argument, flag, option
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import ROOMSET_LIST
from roomctl.errors import BadConfig, Declined, NeedsConfirmation, NotAllowed, WrongCall
from roomctl.profiles import editing
from roomctl.profiles.keys import check_key, from_file
from roomctl.profiles.profile import KEY_SOURCES, SETTINGS
from roomctl.profiles.settings import Settings

commands = Commands(
    "A profile holds a service's base URL and its key, or where to get the key. All profiles are kept in one file that "
    "only you can read."
)
NAME = argument("NAME")
SHOWN = {name: each for name, each in SETTINGS.items() if each.metavar is not None}
OPTIONS = {
    "__annotations__": {name: str if each.metavar else bool for name, each in SHOWN.items()},
    **{
        name: option(
            f"--{text}" if each.metavar else f"--{text}/--no-{text}",
            each.metavar or None,
            text=each.meaning + "; required unless `--replace` is given" * (name == "base_url"),
        )
        for name, each in SHOWN.items()
        for text in [name.removeprefix("api_").replace("_", "-")]
    },
}


@commands.verb("add", exits=[3], takes=[Takes("Settings", type("SettingOptions", (), OPTIONS), body="Profile")])
def add(
    session: Session,
    name: str = NAME,
    *,
    key_stdin: bool = flag("--key-stdin"),
    use: bool = flag("--use"),
    replace: bool = flag("--replace"),
) -> None:
    """Add a profile. roomctl prompts for the key without showing it, unless an option says where the key comes from."""
    old = editing.check_new(session.environment.config_file, name, replace=replace)
    values = {setting: value for setting, value in session.given.body.items() if value is not None}
    if "base_url" not in {**(old or {}), **values}:
        if replace:
            editing.check_exists(session.environment.config_file, name, removes=False)
        hint = f"`--base-url URL`: {SETTINGS['base_url'].meaning}"
        raise WrongCall("missing option `--base-url`", hint=editing.IS_SANDBOX if session.given.sandbox else hint)
    sources = [each for each in values if each.startswith("api_key")]
    if len(sources) + key_stdin > 1:
        raise WrongCall("a profile takes its key from one source only", hint="use only one of the `--key-…` options")
    if "api_key_command" in values:
        values["api_key_command"] = shlex.split(values["api_key_command"])
    for each in ("timeout", "retries", "rate", "concurrency"):
        if (value := getattr(session.given, each)) is not None:
            values[each] = value
    new_key = bool(sources) or key_stdin or (not values and not use and "api_key" in (old or {}))
    values = editing.merged(name, old or {}, values, new_key=new_key)  # checked before a key is typed for it
    if key_stdin or not values.keys() & set(KEY_SOURCES):
        if not new_key and old and old.keys() & set(KEY_SOURCES):
            outside = next(
                (f"--{each[4:].replace('_', '-')}" for each in KEY_SOURCES if each in old and each != "api_key"), ""
            )
            if outside:
                hint = f"give `{outside}` again to use it for the new one too, or another source"
                raise WrongCall(f"profile {name} has a key from `{outside}`, which was for the old base URL", hint=hint)
            session.note("the saved key belongs to the old base URL; it is not kept for another one")
        values["api_key"] = _key(session, from_stdin=key_stdin)
    if "api_key_file" in sources:
        try:
            from_file(session.environment.resolve(values["api_key_file"]), session.note)
        except NotAllowed as error:  # the file may be written later
            session.note(f"warning: {error.message}")
    default = editing.add(session.environment.config_file, name, values, make_default=use, replace=replace)
    _remember(session)
    now = ", now the default" if default and (use or old is None) else ""
    if old is not None:
        new = editing.check_new(session.environment.config_file, name, replace=True) or {}
        was, new = ({setting: each.default for setting, each in SETTINGS.items()} | each for each in (old, new))
        others = {each: new.get(each) for each in {**was, **new} if was.get(each) != new.get(each)}
        words = {True: "yes", False: "no"}  # of other values nothing is said: they may hold secrets
        changed = [f"{each} ({words[now]})" if type(now) is bool else each for each, now in others.items()]
        now = f"{now}: {', '.join(changed) or 'nothing'} changed"
    session.note(
        f"{'added' if old is None else 'replaced'} profile {name}{now}; `roomctl profile check {name}` tests its key"
    )


def _remember(session: Session) -> None:
    names = [row["name"] for row in editing.list_profiles(session.environment)]
    remember_profiles(session.environment.folder("cache"), names)


def _key(session: Session, *, from_stdin: bool) -> str:
    from getpass import getpass

    stdin, stderr = session.streams.stdin, session.streams.stderr
    if from_stdin:
        if stdin is None or stdin.closed:
            raise WrongCall("stdin is closed, and `--key-stdin` reads the key from it")
        return check_key(stdin.read(65536), "stdin")
    if session.unattended:
        raise NeedsConfirmation(
            "the key must be typed, but there is no terminal",
            hint="give it with `--key-stdin`, `--key-env NAME`, `--key-file FILE` or `--key-command COMMAND`",
        )
    try:
        return check_key(getpass("API key (not shown): ", stream=stderr), "the terminal")
    except EOFError:
        raise Declined("no key was given; no profile was added") from None


@commands.verb("list")
def list_(session: Session) -> Answer:
    """List the profiles; keys are never shown."""
    return Answer(editing.list_profiles(session.environment), "Profile")


def _settings(session: Session, name: str | None) -> Settings:
    other = session.given.profile
    if name and other not in (None, name):
        raise WrongCall(f"two profiles were given: {name} and {other}", hint="name only one of them")
    session.given.profile = name or other
    if name and other is None:
        try:
            session.settings.profile_origin = "named in the command"
        except BadConfig as error:
            error.message = error.message.replace(" (from --profile)", "")
            raise
    return session.settings


@commands.verb("show", exits=[3])
def show(session: Session, name: str | None = argument("[NAME]")) -> Answer:
    """Show every setting that applies, its value, and where it comes from; the key is masked."""
    return Answer(editing.show(_settings(session, name)), "Setting")


@commands.verb("use")
def use_(session: Session, name: str = NAME) -> None:
    """Make a profile the default."""
    editing.use(session.environment.config_file, name)
    session.note(f"the default profile is now {name}")


@commands.verb("remove")
def remove(session: Session, name: str = NAME) -> None:
    """Remove a profile and its key."""
    editing.check_exists(session.environment.config_file, name)
    ask(session, [f"about to remove profile {name} and its key"], done="removed")
    default = editing.remove(session.environment.config_file, name)
    _remember(session)
    session.note(f"removed profile {name}" + ("; there is now no default profile" if default else ""))


@commands.verb("check", calls=[ROOMSET_LIST])
def check(session: Session, name: str | None = argument("[NAME]")) -> Answer:
    """Read one page of room sets to check that the URL answers and the key is accepted."""
    settings = _settings(session, name)
    rows = first_page(session, ROOMSET_LIST)
    return Answer(
        {
            "profile": settings.profile,
            "origin": settings.profile_origin,
            "base_url": settings.base_url,
            "accepted": True,
            "has_room_sets": bool(rows),
        },
        "Check",
    )
