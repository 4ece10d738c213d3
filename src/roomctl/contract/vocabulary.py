"""The words by which members that the interface does not declare say something, and the families of what they say."""

from collections.abc import Mapping
from typing import Final

READ: Final = ("failed", "partial")
"""What counts against a record that was read; a state counts what is not final too, and a write what was not done."""
STATE: Final = (*READ, "pending", "draft")
WRITE: Final = (*STATE, "undone")
CHANGE: Final = (*STATE, "taken on")
"""What counts against the reply to a change: of what is only accepted, or scheduled, nothing is seen yet."""
DENIAL: Final = ("failed", "undone")
LIST: Final = ("failed", "more", "left out", "partial", "pending")
"""What counts against a list, in the object around its rows, or in headers."""
GONE: Final = ("gone",)
"""What counts against a record that is there, and is not one of the service's own any more."""


def _lists(lists: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    return {family: frozenset(words.split()) for family, words in lists.items()}


_REFUSED: Final = " denied rejected rejection refused forbidden unauthorized unauthorised unauthenticated "
_DELETED: Final = " deleted removed revoked cancelled canceled expired archived tombstone tombstoned "
TRUE: Final = _lists(
    {
        "gone": f"{_DELETED} disabled purged trashed",
        "failed": """err error exception fail failed failure failing fault faulty problem invalid unsuccessful aborted
            errno sqlstate corrupt corrupted rollback rolledback conflict conflicted violation usererror modelstate""",
        "more": """next more after cursor scroll continuation continue skip evaluated remaining truncated exceeded
            reached resume""",
        "left out": """hidden omitted skipped dropped missing denied suppressed withheld excluded unavailable
            unreachable unprocessed limited cutoff terminatedearly running preview warning""",
        "partial": """stale cached fromcache cachehit outdated obsolete inconsistent partial partially incomplete
            degraded truncated truncation cutoff cutshort redacted redaction masked omitted missing withheld filtered
            unavailable unreachable unloaded unresolved timedout throttled limitexceeded quotaexceeded fallback
            placeholder mock mocked stub dummy synthetic asof snapshot""",
        "pending": _REFUSED
        + """pending queued enqueued deferred processing reprocessing inprogress copying closing ending terminating
            creating updating saving provisioning deleting syncing initializing initialising retrying waiting awaiting
            reopened""",
        "draft": "draft unpublished",
        "undone": _REFUSED
        + _DELETED
        + """
            ignored skipped dropped discarded stripped unknown unsaved uncommitted unpersisted
            unsupported unrecognized unrecognised unprocessed preview dryrun testmode validateonly noop unchanged
            nothing async onhold already existing preexisting existed duplicate duplicated suspended quarantined
            readonly maintenance bounce bounced undelivered undeliverable unsubscribed optedout suppressed blocked
            simulated mock mocked needsapproval needsconfirmation needsreview requiresapproval requiresconfirmation
            requiresreview requiresaction requiresverification approvalrequired confirmationrequired reviewrequired
            verificationrequired""",
    }
)
"""The words of a name by which a member says it where its value is true, or something."""
FALSE: Final = _lists(
    {
        "gone": "valid enabled",
        "failed": "ok success successful succeeded succeed",
        "left out": "shown",
        "more": "last complete completed done eof finished exhausted final endofstream",
        "partial": "loaded found exists fresh uptodate consistent",
        "pending": "ready final finalized finalised finished done complete completed processed valid available",
        "draft": "published approved effective",
        "undone": """
            saved stored persisted committed applied executed created updated copied ended sent delivered invited
            allowed permitted granted authorized authorised provisioned established new change changed modified affected
            found matched nmodified accepted acknowledged performed written upserted""",
    }
)
"""Those by which it says it where its value is false."""
OTHERS: Final = _lists(
    {
        "state": "status stat state phase stage lifecycle outcome result delivery condition severity code ack rc ret",
        "text": "message msg note notice warning detail reason info hint issue remark alert diagnostic",
        "progress": "progress percent percentage pct",
        "place": "page pages offset index current this cursor view",
        "rows": """
            nb total count found num number matched size item element record result row hit entry entity object
            resource document list data content value all of the is in meta metadata pagination paging response
            summary info embedded aggregate connection relationship grand overall statistic stat returned""",
        "part": "shard",
        "filling": """
            type has have had was were been be are an any by from on to for at as when currently still only fully not
            exact string text request reply field property attribute param parameter key member description mode
            flag service server backend upstream source origin system return read http grpc access write send
            permission date time timestamp mail email notification invitation invite approval confirmation review
            verification validation action pageable header search link url uri href token id marker limit max
            transfer transaction tx job stream partition acl cache lookup operation first empty previous prev sort
            sorted unsorted paged unpaged extension""",
    }
)
"""Words that say it by their values, or nothing."""
STATES, TEXTS, PROGRESS = OTHERS["state"], OTHERS["text"], OTHERS["progress"]
IN_VALUES: Final = _lists(
    {
        "failed": """
            fatal critical nok ko bad conflict unable
            cannot unprocessable unimplemented insufficient exceeded stalled timedout""",
        "partial": "timeout",
        "pending": "unknown",
        "taken on": "accepted scheduled 202",
    }
)
COUNTING: Final = OTHERS["rows"]
"""Words of the names of numbers of rows, and of what holds them."""
HOLDING: Final = COUNTING | OTHERS["filling"] | OTHERS["place"] | OTHERS["part"] | STATES
"""Words of the names of members that may hold what is said of a list: `pagination`, `_links`, `page`, `status`."""
_SAYS: Final = {
    "gone": "the record is deleted or disabled",
    "failed": "the request failed",
    "more": "the list has more rows",
    "left out": "rows were left out of the list",
    "partial": "the data is incomplete or out of date",
    "pending": "the request is not finished",
    "draft": "the record is not in effect",
    "undone": "the write was not done",
}
WORDS: Final[Mapping[str, frozenset[str]]] = {
    **{f"if true, {_SAYS[family]}": words for family, words in TRUE.items()},
    **{f"if false, {_SAYS[family]}": words for family, words in FALSE.items()},
    "a status, judged by its value": STATES,
    "a message, judged by its words": TEXTS,
    "progress: below 100, the request is not finished": PROGRESS,
    "no meaning of its own": OTHERS["place"] | OTHERS["rows"] | OTHERS["part"] | OTHERS["filling"],
}
"""The whole vocabulary by what a field says whose name has one of the words; `help answers` lists it."""
VOCABULARY: Final = frozenset[str]().union(*WORDS.values())
HARMLESS: Final = _lists(
    {
        "done": """ok done success successful successfully completed created copied updated saved stored ended closed
            the a your room set social theme playlist rules configuration transcription record is was has been
            invitation invited sent user person"""
    }
)["done"]
"""A remark or a state of these words alone says no more than that it was done."""
STEPS: Final = _lists(
    {
        "usual": """created updated modified changed edited saved stored sent invited hosted owned organized organised
            requested approved accepted confirmed processed handled ended closed finished completed assigned managed
            moderated added submitted published scheduled intended used needed sorted ordered grouped followed
            registered issued done written given open"""
    }
)["usual"]
"""What is done to a record as a matter of course: `updatedBy` says nothing of a write."""
IN_TEXTS: Final = _lists(
    {
        "failed": """fail error exception denied refus reject forbidden invalid unauthori abort throttl
            too.many.requests quota overload bad.request conflict can.?not can.t unable could.?n.t could.not""",
        "partial": """partial incomplete truncat stale cached outdated out.of.date omitted missing redact withheld
            hidden unavailab time[ds]?.?out only.(the.)?(first|most.recent|latest) could.not.be.(loaded|read|shown)
            (failed.to|could.?n.?.?t|could.not|unable.to|can.?not|can.t).(load|fetch|get|retrieve|resolve|read|look)
            internal.server.error an.error.occurred access.denied lookup.(error|fail)""",
        "left out": r"limited.to (first|top).[0-9][0-9,.]*.(of|row|record|result|item|entr|registration)",
        "pending": "pending queued unknown in.progress being.processed",
        "put off": r"""no.(change|data|row|record)s?\b nothing\b already.exist (returning|using).existing\b test.mode\b
            dry.run\b expired\b approval\b will.be\b being.processed pending\b queued\b draft\b""",
        "passed over": "drop ignor unknown unrecogni discard skip omit strip",
    }
)
"""How words begin by which a text says it."""
