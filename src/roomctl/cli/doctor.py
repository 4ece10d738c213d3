"""`roomctl doctor`: whether this machine is ready; with `--probe`, what the service shows of what is not documented."""

from typing import Annotated

from typer import Option

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.options import an_id
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST, USER_GET
from roomctl.errors import BadConfig, WrongCall

commands = Commands()


@commands.verb(
    "doctor",
    calls=[ROOMSET_LIST, RECORDING_LIST, REGISTRATION_LIST, USER_GET],
    examples=["doctor", "doctor -o json --query \"[?state!='ok']\"", "doctor --probe --yes"],
    never=[6],
)
def doctor(
    ctx: Context,
    probe: Annotated[bool, Option("--probe", help="ask the service, with reads only, and keep what it shows")] = False,
    event: Annotated[
        str | None, Option("--event", parser=an_id, metavar="EVENT", help="with --probe: a long list to page through")
    ] = None,
) -> Answer:
    """Check this machine: config, profiles, key, folders, clock, journal, sandbox; each with the next step.

    Nothing is sent, and exit 2 says that something has to be mended. With --probe a handful of reads finds out what
    the service does where it is not documented: the largest page, the number of the first one, how a list ends and
    whether it is wrapped, the form of an error, the names that `--sort` takes. What was seen is kept for each service
    in the state folder, and lists ask for no larger pages than it gives; lines that the profile needs are printed.
    """
    session: Session = ctx.obj
    if event is not None and not probe:
        raise WrongCall("`--event` is for `--probe`: nothing was asked", hint="add `--probe`")
    if probe:
        from roomctl.cli.probing import probed

        return Answer(probed(session, event), "Probe")
    from roomctl.cli.checkup import findings

    found = list(findings(session))
    failed = [each for each in found if each.state == "fail"]
    names = ", ".join(dict.fromkeys(each.check for each in failed))
    failure = BadConfig(f"to be mended: {names}", hint="each says how, in `next`") if failed else None
    return Answer([each._asdict() for each in found], "Finding", failure, picture="checklist")
