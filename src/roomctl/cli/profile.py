"""`roomctl profile`: which service is asked, with which key."""

from inspect import Parameter, Signature, signature
from typing import Annotated, Any

from typer import Argument, Option

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import ROOMSET_LIST
from roomctl.errors import Declined, NeedsConfirmation, WrongCall
from roomctl.profiles import editing
from roomctl.profiles.keys import check_key
from roomctl.profiles.profile import SETTINGS

commands = Commands("Profiles: a base URL and where its key comes from, in one file that only you can read.")
Name = Annotated[str, Argument(metavar="NAME", help="letters, digits, `.`, `_`, `-`")]


def add(
    ctx: Context,
    name: Name,
    *,
    key_stdin: Annotated[bool, Option("--key-stdin", help="read the key from stdin")] = False,
    use: Annotated[bool, Option("--use", help="make it the default profile")] = False,
    replace: Annotated[bool, Option("--replace", help="replace a profile of that name")] = False,
    **settings: Any,
) -> Answer:
    """Add a profile. The key is asked for, hidden, unless an option says where it comes from.

    No option takes the key itself: what stands on a command line can be read by others. `--timeout`, `--retries`,
    `--rate` and `--concurrency` are kept in the profile, too.
    """
    import shlex

    session: Session = ctx.obj
    values = {each: value for each, value in settings.items() if value}
    sources = [each for each in values if each.startswith("api_key")]
    if len(sources) + key_stdin > 1:
        raise WrongCall("a profile has one source of its key", hint="give one of `--key-…`")
    if "api_key_command" in values:
        values["api_key_command"] = shlex.split(values["api_key_command"])
    elif not sources:
        values["api_key"] = _from_stdin(session) if key_stdin else _answered(session)
    for each in ("timeout", "retries", "rate", "concurrency"):
        if (value := getattr(session.given, each)) is not None:
            values[each] = value
    path = session.environment.config_file
    default = editing.add(path, name, values, make_default=use, replace=replace)
    _remember(session)
    session.note(f"added: profile {name} in {path}" + (", now the default" if default else ""))
    return Answer()


def _with_settings(command: Any) -> Any:
    """Give a command an option for each setting that has one, in place of `**settings`."""
    ctx, name, *flags, _ = signature(command).parameters.values()
    options = []
    for setting, declared in SETTINGS.items():
        if declared.metavar is not None:
            words = "--" + setting.removeprefix("api_").replace("_", "-")
            option = Option(words, metavar=declared.metavar or None, help=declared.meaning)
            kind, default = (str | None, None) if declared.metavar else (bool, False)
            options.append(
                Parameter(
                    setting,
                    Parameter.KEYWORD_ONLY,
                    default=Parameter.empty if setting == "base_url" else default,
                    annotation=Annotated[kind, option],
                )
            )
    parameters = [ctx, name, *options, *flags]
    command.__signature__ = Signature(parameters)
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


commands.verb(
    "add",
    examples=[
        "profile add live --base-url https://rooms.example.org --key-command 'pass show rooms/live' --protected",
        "profile add ci --base-url https://rooms.example.org --key-env CI_ROOMS_KEY --use",
    ],
)(_with_settings(add))


def _remember(session: Session) -> None:
    """Keep the profiles' names for the shell's completion."""
    from roomctl.cli.recent import remember_profiles

    names = [row["name"] for row in editing.list_profiles(session.environment)]
    remember_profiles(session.environment.folder("cache"), names)


def _from_stdin(session: Session) -> str:
    stdin = session.streams.stdin
    if stdin is None or stdin.closed:
        raise WrongCall("stdin is closed, and `--key-stdin` reads the key from it")
    return check_key(stdin.read(65536), "stdin")


def _answered(session: Session) -> str:
    if not session.interactive:
        raise NeedsConfirmation(
            "the key would be asked for, and nobody is here to answer",
            hint="`--key-stdin`, `--key-env NAME`, `--key-file FILE` or `--key-command COMMAND`",
        )
    from getpass import getpass

    try:
        return check_key(getpass("API key (not shown): ", stream=session.streams.stderr), "the answer")
    except EOFError:
        raise Declined("no key was given: no profile was added") from None


@commands.verb("list", examples=["profile list", "profile list -o ids"])
def list_(ctx: Context) -> Answer:
    """List the profiles; keys are never shown."""
    session: Session = ctx.obj
    return Answer(editing.list_profiles(session.environment), "Profile")


@commands.verb("show", examples=["profile show", "profile show --profile prod -o json"], exits=[3])
def show(
    ctx: Context, name: Annotated[str | None, Argument(metavar="[NAME]", help="else the one in force")] = None
) -> Answer:
    """Show every setting in force, its value, and where it comes from; the key is masked."""
    session: Session = ctx.obj
    return Answer(editing.show(session.settings if name is None else session.settings_of(name)), "Setting")


@commands.verb("use", examples=["profile use prod", "profile use staging"])
def use_(ctx: Context, name: Name) -> Answer:
    """Make a profile the default one."""
    session: Session = ctx.obj
    editing.use(session.environment.config_file, name)
    session.note(f"default profile: {name}")
    return Answer()


@commands.verb("remove", examples=["profile remove staging --yes", "profile remove old --yes -q"])
def remove(ctx: Context, name: Name) -> Answer:
    """Remove a profile, and its key with it."""
    session: Session = ctx.obj
    if not session.given.yes:
        _confirm_removal(session, name)
    default = editing.remove(session.environment.config_file, name)
    _remember(session)
    session.note(f"removed: profile {name}" + (", no default is left" if default else ""))
    return Answer()


def _confirm_removal(session: Session, name: str) -> None:
    from roomctl.cli.confirm import ask

    ask(session, [f"about to remove profile {name}, and its key with it"])


def _chosen(ctx: Context, name: str | None) -> str | None:
    """Take a profile that stands behind the command for what `--profile` names."""
    if name is not None:
        _must_be_one(name, ctx.obj.given.profile or name)
        ctx.obj.given.set("profile", name)
    return name


def _must_be_one(name: str | None, other: str | None) -> None:
    if name != other:
        raise WrongCall(f"two profiles were named: {name} and {other}", hint="give one of them")


@commands.verb("check", calls=[ROOMSET_LIST], examples=["profile check", "profile check prod"], never=[6])
def check(
    ctx: Context,
    name: Annotated[str | None, Argument(metavar="[NAME]", help="else the one in force", callback=_chosen)] = None,
) -> Answer:
    """Ask the service for one page of room sets: whether the URL answers and the key is accepted."""
    session: Session = ctx.obj
    _must_be_one(name or session.given.profile, session.given.profile)
    rows = session.client.page(ROOMSET_LIST, path={}, query=(), page=0, size=1)
    settings = session.settings
    return Answer(
        {
            "profile": settings.profile,
            "origin": settings.profile_origin,
            "base_url": settings.base_url,
            "accepted": True,
            "room_sets_seen": bool(rows),
        },
        "Check",
    )
