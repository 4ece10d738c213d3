"""Questions: asked on stderr, answered on stdin, never where nobody is there to answer."""

from collections.abc import Sequence

from roomctl.cli.session import Session
from roomctl.errors import Declined, ExpectationFailed, NeedsConfirmation, WrongCall

NO_UNDO = "the service offers no way to undo this"


def check_profile(session: Session) -> None:
    """Refuse a write that the profile or `--expect-profile` does not allow, before anything is sent."""
    check_expected(session)
    settings = session.settings
    if settings.read_only:
        raise WrongCall(
            f"profile {settings.profile} is read-only: nothing was sent",
            hint="use another profile, or set `read_only = false` in the config file",
        )


def check_expected(session: Session) -> None:
    """Refuse another profile than `--expect-profile` names. Raises ExpectationFailed."""
    settings, expected = session.settings, session.given.expect_profile
    if expected is not None and expected != settings.profile:
        raise ExpectationFailed(
            f"the active profile is {settings.profile}, not {expected}: nothing was sent",
            hint=f"add `--profile {expected}`",
        )


def confirm(session: Session, card: Sequence[str], *, word: str | None = None) -> None:
    """Show what is about to happen and wait for the answer: y/N, or a word where there is no way back.

    A protected profile always asks for the word; `--yes` answers for a person, except on a protected profile that is
    not named by `--profile` on the command line. Raises Declined, NeedsConfirmation.
    """
    settings = session.settings
    named = session.given.profile == settings.profile
    if settings.protected:
        word = word or settings.profile
    if session.given.yes and (named or not settings.protected):
        return
    where = "the embedded sandbox" if settings.sandbox else settings.base_url
    ask(session, [*card, f"{profile_line(session)}, service: {where}"], word=word, hint=_way_out(session))
    session.announced = True


def profile_line(session: Session) -> str:
    """Say which profile is active, and where that choice came from."""
    return f"profile: {session.settings.profile} ({session.settings.profile_origin})"


def announce(session: Session) -> None:
    """Say on a write, once, which profile it goes to."""
    if not session.announced:
        session.note(profile_line(session))
    session.announced = True


def ask(session: Session, card: Sequence[str], *, word: str | None = None, hint: str = "add `--yes`") -> None:
    """Show a card and wait for y/N, or for a word. Raises Declined, NeedsConfirmation."""
    if not session.interactive:
        raise NeedsConfirmation("this asks first, and nobody is here to answer: nothing was sent", hint=hint)
    for line in card:
        session.say(line)
    if word is None:
        _answer(session, "go on? [y/N] ", ("y", "yes"))
    else:
        session.say(NO_UNDO)
        _answer(session, f"type `{word}` to go on: ", (word,))


def _way_out(session: Session) -> str:
    if session.settings.protected and session.given.profile != session.settings.profile:
        return f"add `--profile {session.settings.profile} --yes`: the profile is protected"
    return "add `--yes`"


def _answer(session: Session, question: str, accepted: Sequence[str]) -> None:
    stdin, stderr = session.streams.stdin, session.streams.stderr
    assert stdin is not None
    session.aside(question)
    answer = ""
    try:
        answer = stdin.readline()
    finally:  # what follows begins a line: neither Ctrl-C nor a log echoes the end of this one
        if not answer.endswith("\n") or stderr is None or not stderr.isatty():
            session.aside("\n")
    if answer.strip().casefold() not in {answer.casefold() for answer in accepted}:
        raise Declined("not done: nothing was sent")
