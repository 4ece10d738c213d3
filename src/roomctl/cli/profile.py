"""`roomctl profile`: which service is asked, with which key."""

from typing import Annotated

from typer import Argument, Option

from roomctl import profiles
from roomctl.cli.lazy import Commands, Context
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import ROOMSET_LIST
from roomctl.contract.paging import ENDS
from roomctl.errors import Declined, NeedsConfirmation, WrongCall
from roomctl.profiles import editing

commands = Commands("Profiles: a base URL and where its key comes from, in one file that only you can read.")
Name = Annotated[str, Argument(metavar="NAME", help="letters, digits, `.`, `_`, `-`")]


@commands.verb(
    "add",
    examples=[
        "profile add live --base-url https://rooms.example.org --key-command 'pass show rooms/live' --protected",
        "profile add ci --base-url https://rooms.example.org --key-env CI_ROOMS_KEY --use",
    ],
)
def add(
    ctx: Context,
    name: Name,
    base_url: Annotated[str, Option("--base-url", metavar="URL", help="https, or http on this machine")],
    key_stdin: Annotated[bool, Option("--key-stdin", help="read the key from stdin")] = False,
    key_env: Annotated[
        str | None, Option("--key-env", metavar="NAME", help="an environment variable that holds it")
    ] = None,
    key_file: Annotated[str | None, Option("--key-file", metavar="FILE", help="a file that holds it")] = None,
    key_command: Annotated[
        str | None, Option("--key-command", metavar="COMMAND", help="a command that prints it; no shell")
    ] = None,
    protected: Annotated[bool, Option("--protected", help="writes ask for a typed word")] = False,
    read_only: Annotated[bool, Option("--read-only", help="refuse every write")] = False,
    copy_parameter: Annotated[
        str | None, Option("--copy-parameter", metavar="NAME", help="the query parameter of `social copy`")
    ] = None,
    list_field: Annotated[
        str | None, Option("--list-field", metavar="NAME", help="the field that holds the rows of a wrapped list")
    ] = None,
    end_of_list: Annotated[
        str | None,
        Option("--end-of-list", metavar="WORDS", help=f"what is answered behind the last page: {','.join(ENDS)}"),
    ] = None,
    ca_file: Annotated[str | None, Option("--ca-file", metavar="FILE", help="certificates to trust")] = None,
    use: Annotated[bool, Option("--use", help="make it the default profile")] = False,
    replace: Annotated[bool, Option("--replace", help="replace a profile of that name")] = False,
) -> Answer:
    """Add a profile. The key is asked for, hidden, unless an option says where it comes from.

    No option takes the key itself: what stands on a command line can be read by others.
    """
    import shlex

    session: Session = ctx.obj
    if sum(map(bool, (key_stdin, key_env, key_file, key_command))) > 1:
        raise WrongCall("a profile has one source of its key", hint="give one of `--key-…`")
    source: dict[str, object] = {}
    if key_env:
        source["api_key_env"] = key_env
    elif key_file:
        source["api_key_file"] = key_file
    elif key_command:
        source["api_key_command"] = shlex.split(key_command)
    else:
        source["api_key"] = _from_stdin(session) if key_stdin else _asked(session)
    settings = {"protected": protected, "read_only": read_only, "copy_parameter": copy_parameter, "ca_file": ca_file}
    settings |= {"list_field": list_field, "end_of_list": end_of_list}
    fields = {"base_url": base_url, **source, **{key: value for key, value in settings.items() if value}}
    path = profiles.config_file(session.environment)
    default = editing.add(path, name, fields, make_default=use, replace=replace)
    _remember(session)
    session.note(f"added: profile {name} in {path}" + (", now the default" if default else ""))
    return Answer()


def _remember(session: Session) -> None:
    """Keep the profiles' names for the shell's completion."""
    from roomctl.cli.recent import remember_profiles

    names = [row["name"] for row in editing.list_profiles(session.environment)]
    remember_profiles(profiles.cache_folder(session.environment), names)


def _from_stdin(session: Session) -> str:
    stdin = session.streams.stdin
    if stdin is None or stdin.closed:
        raise WrongCall("stdin is closed, and `--key-stdin` reads the key from it")
    return profiles.checked_key(stdin.read(65536), "stdin")


def _asked(session: Session) -> str:
    if not session.interactive:
        raise NeedsConfirmation(
            "the key would be asked for, and nobody is here to answer",
            hint="`--key-stdin`, `--key-env NAME`, `--key-file FILE` or `--key-command COMMAND`",
        )
    from getpass import getpass

    try:
        return profiles.checked_key(getpass("API key (not shown): ", stream=session.streams.stderr), "the answer")
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
    editing.use(profiles.config_file(session.environment), name)
    session.note(f"default profile: {name}")
    return Answer()


@commands.verb("remove", examples=["profile remove staging --yes", "profile remove old --yes -q"])
def remove(ctx: Context, name: Name) -> Answer:
    """Remove a profile, and its key with it."""
    session: Session = ctx.obj
    if not session.given.yes:
        _confirm_removal(session, name)
    default = editing.remove(profiles.config_file(session.environment), name)
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
