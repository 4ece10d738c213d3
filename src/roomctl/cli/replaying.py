"""`roomctl sandbox replay`: what was asked, asked again."""

from typing import Annotated

from typer import Argument

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.session import Answer, Session
from roomctl.errors import Partial

commands = Commands()


@commands.verb(
    "replay",
    examples=[
        "sandbox replay night.ndjson",
        "sandbox restore rehearsal --yes && roomctl sandbox replay night.ndjson",
    ],
    exits=[0, 2, 6, 9],
)
def replay(
    ctx: Context,
    source: Annotated[str, Argument(metavar="FILE|-", help="what `sandbox log -o ndjson` printed, or json")],
) -> Answer:
    """Send the requests of a log to the sandbox again, in their order, and compare each status with the one it had.

    Beginning with the snapshot that the log began with, what is made gets the same ids as then. Exit 6 where a status
    is another, or a request was left out: the log holds no key, token or picture, and no body over 16 KiB. Nor does it
    hold headers: what was refused for its key is not refused now. Faults that stand, and --fault, are applied, but
    nothing waits; no request is repeated but where the log repeats it. What is replayed is in the log too.
    """
    from collections import Counter

    from roomctl.cli.bodies import read_text
    from roomctl.sandbox.app import build
    from roomctl.sandbox.replay import KEY, read_log
    from roomctl.sandbox.replay import replay as play
    from roomctl.sandbox.spoiling import staged

    session: Session = ctx.obj
    log = read_log(read_text(session, source), source)
    app = staged(build(session.sandbox, KEY), session.stage)
    tell, rows = session.progress(), []
    for number, each in enumerate(play(app, log), 1):
        rows.append(each._asdict())
        tell(f"SANDBOX: request {number} of {len(log)}")
    found = Counter(row["became"] for row in rows)
    session.note(f"SANDBOX: {len(rows)} requests: " + ", ".join(f"{found[name]} {name}" for name in BECAME))
    return Answer(rows, "SandboxReplay", _verdict(found["other"], found["left out"], len(rows)))


BECAME = ("same", "other", "left out")


def _verdict(other: int, left_out: int, all_: int) -> Partial | None:
    if not other and not left_out:
        return None
    return Partial(
        f"of {all_} requests {other} had another status, {left_out} were left out",
        hint="a log is replayed as it was on the snapshot that it began with: `roomctl sandbox restore NAME`",
    )
