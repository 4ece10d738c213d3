"""What the interface does not show, what the sandbox does there, and why: choices of ours, not of the service."""

from typing import Final, NamedTuple


class Gap(NamedTuple):
    """A gap: its id, the interface's own words (empty where it is silent), our choice, and the reason for it.

    `lenient` is what the sandbox does unless it is asked otherwise; `strict` and `hostile` are empty where they do the
    same.
    """

    id: str
    quote: str
    lenient: str
    why: str
    strict: str = ""
    hostile: str = ""


GAPS: Final = (
    Gap(
        "required-fields",
        "Required or optional status of individual fields: not shown.",
        "every field is optional; what a record must have is given a default",
        "a sandbox that demands more than the service would make good scripts fail",
        strict="a new room, theme, playlist without its name, and a theme or playlist without its type, is 422",
        hostile="replies leave out what they may: isOpen in the answer of end, name of people",
    ),
    Gap(
        "free-form-fields",
        "Meaning, units, bounds and allowed values of free-form fields (for example maxParticipants, startingWidth, "
        "startingHeight, duration, qty, recordingSize, progress, rules.property, rules.operator): not shown.",
        "kept as they are sent; integers have 64 bits",
        "nothing may depend on a meaning that is not documented",
    ),
    Gap(
        "leave-open-until",
        "Effect of leaveOpenUntil on the timing of closing: not shown.",
        "the room stays open until that moment and is closed from then on; a moment in the past closes it now; a later "
        "call for a room that is still open names the moment anew",
        "it is what the name says",
        strict="a moment in the past is 400",
        hostile="the moment is ignored: the room closes at once",
    ),
    Gap(
        "transcription-states",
        "Transcription status values: PROCESSING, COMPLETE, FAILED. Transitions: not shown.",
        "PROCESSING becomes COMPLETE one minute after processingStartDateTime",
        "a wait can be rehearsed without waiting long",
        hostile="PROCESSING becomes FAILED; it is shown as QUEUED until then",
    ),
    Gap(
        "recording-states",
        "Recording status values: PROCESSING, COMPLETE, FAILED. Transitions: not shown.",
        "PROCESSING becomes COMPLETE one minute after processingStartDateTime",
        "a wait can be rehearsed without waiting long",
        hostile="PROCESSING becomes FAILED; it is shown as QUEUED until then",
    ),
    Gap(
        "other-lifecycles",
        "A room carries the boolean isOpen; a registration carries the boolean confirmed. Other lifecycles are not "
        "described.",
        "a new room is open, a copied one is closed; confirmed does not change",
        "a copy of a running room starts without its people",
    ),
    Gap(
        "sort-and-text",
        "Property names accepted by sort and the matching rule of text: not shown.",
        "sort takes any top-level scalar of the resource, another name is 400; text is looked for in every text value, "
        "whatever its case",
        "the widest reading that is still predictable",
        strict="sort takes the id, the name and the date-times of the resource, another name is 400",
        hostile="both are taken and ignored",
    ),
    Gap(
        "create-query",
        "Query parameters: not shown.",
        "query parameters that are not documented are ignored",
        "most services do so",
        strict="a query parameter that is not documented is 400, but for the one of copy-room",
    ),
    Gap(
        "room-set-ids",
        "Body: JSON array of uuid strings. What the identifiers refer to: not shown.",
        "they are ids of rooms, which move into the new set; an unknown one is 404",
        "a set is made of rooms",
        hostile="they are ignored: the new set is empty",
    ),
    Gap(
        "no-reply",
        "Response: 200; response body: not shown.",
        "an empty body",
        "whoever reads the reply would rely on something that is not promised",
        hostile="the text OK, which is not JSON",
    ),
    Gap(
        "copy-room",
        "How the room to copy is identified: not shown.",
        "by the query parameter socialId; without it 400",
        "operation 4 names its original in the query too",
    ),
    Gap(
        "create-or-update",
        "The rule deciding between creating and updating: not shown.",
        "an id in the body means an update, and an unknown id is 404",
        "an update that silently makes something new would be worse",
        hostile="an unknown id makes something new, with another id",
    ),
    Gap(
        "transcription-processing",
        "Effect of the operation: not shown.",
        "the transcription gets PROCESSING and the present time; without an id a new one is made",
        "it is what the name says",
        strict="an id is required: without one 422",
    ),
    Gap(
        "transcriptions-included",
        "Which records are included: not shown.",
        "all of them",
        "there is one company in the sandbox",
    ),
    Gap(
        "keys",
        "How a key is issued and what it permits: not shown.",
        "one key, which permits everything and acts for one user; none or another one is 401",
        "roles cannot be guessed",
        hostile="none or another one is 403",
    ),
    Gap(
        "events",
        "Notification delivery (callbacks, streams and similar): not shown.",
        "there is none",
        "nothing to imitate",
    ),
    Gap(
        "error-statuses",
        "Error status codes and conditions: not shown.",
        "400 parameters, 401 key, 404 unknown path or id, 405 method, 413 size, 415 type, 421 host, 422 body, "
        "503 busy or disk full",
        "what the words of HTTP mean",
        strict="a closed room that is ended again is 409",
        hostile="400 whatever is wrong; 403 key, 503 busy or disk full",
    ),
    Gap(
        "error-shape",
        "The shape of an error body: not shown.",
        "a JSON object with status, message, and problems: a list of path and message",
        "a person can read it and a script can too",
        hostile="an HTML page that does not say what is wrong",
    ),
    Gap(
        "largest-size",
        "Maximum size value: not shown.",
        "pages have at most 1,000 items; a larger size is taken as 1,000, as services do that clamp it",
        "a client must not take a short page for the end",
        strict="a size above 100 is 400",
        hostile="pages have at most 7 items",
    ),
    Gap("rate-limits", "Rate limits: not shown.", "there are none", "a rehearsal is not held up"),
    Gap(
        "largest-body",
        "Maximum size of image payloads and other bodies: not shown.",
        "64 MiB, then 413",
        "large enough for every theme",
        strict="1 MiB, then 413",
    ),
    Gap(
        "versions",
        "Policy for later versions and deprecation: not shown.",
        "there is /api/v1 and nothing else",
        "nothing to imitate",
        hostile="records have fields, and some fields values, that are not documented",
    ),
    Gap(
        "null",
        "",
        "null in an update clears the field; null in a creation is as if the field were not there",
        "the interface says neither; it is the rule of JSON Merge Patch",
        strict="null is 422",
        hostile="null is as if the field were not there",
    ),
    Gap(
        "unknown-fields",
        "",
        "a field that the interface does not name is 422",
        "a rehearsal should find a misspelt field",
        hostile="it is dropped, and the answer is 200",
    ),
    Gap(
        "owned-fields",
        "",
        "ids, host, people present, upload status and times of making or processing that are sent in a body are not "
        "taken over",
        "they are the service's to say",
        strict="they are 422",
    ),
    Gap(
        "invited-person",
        "",
        "an invitation finds its person by invitedUserId, else by the userId or emailAddress of invitedUser",
        "these are what identifies a user",
        strict="by invitedUserId only; by an address is a record with error",
        hostile="every third one is a record with error and nothing else new, and the records come in reverse order",
    ),
    Gap(
        "invited-twice",
        "",
        "a person who is invited already gets a record with error, as does one who is not known",
        "the record's error field is there for something",
    ),
    Gap(
        "room-without-set",
        "",
        "a room that names no set gets into the first of my sets",
        "every room can be seen in operation 3",
        strict="it is 422",
        hostile="it gets into a set that nobody sees",
    ),
    Gap(
        "rooms-of-rules",
        "",
        "associatedSocialIds are rooms of the set, which name the configuration from then on; a new configuration "
        "without them is that of all rooms of the set; a room of another set is 422",
        "both fields are documented, and must not contradict each other",
    ),
    Gap(
        "theme-images",
        "",
        "bytes or the id of an image give the theme that image's address; imageBytes is the preview",
        "the names say so; nothing is drawn",
    ),
    Gap(
        "copies",
        "",
        "a copied set has its own rooms, items and entry configurations, with new ids; themes and playlists are shared",
        "a change to the copy must not change the original",
    ),
    Gap(
        "list-order",
        "",
        "lists without sort are in the order of making",
        "pages must not overlap",
        hostile="what was made last comes first",
    ),
    Gap(
        "end-of-list",
        "",
        "a page behind the last one, and that of a list without rows, is an empty array",
        "the reply is documented as an array",
        hostile="it is null; `sandbox faults words` has other ends that services are known for",
    ),
    Gap(
        "case-of-ids",
        "",
        "ids are written in small letters, and found whatever their case",
        "a uuid means the same in any case",
        hostile="they are written in capitals",
    ),
    Gap(
        "busy",
        "",
        "503 when another process has been writing for ten seconds, or the disk is full",
        "nothing was done, and it can be tried again",
    ),
    Gap(
        "ended-twice",
        "",
        "ending a closed room answers 200 with the room and changes nothing",
        "the room is as was asked for",
        strict="409",
        hostile="400, as for a room that is not there",
    ),
    Gap(
        "date-times",
        "",
        "RFC 3339 in UTC, whole seconds; as it was sent where a body had it",
        "the form that every library reads",
        hostile="with milliseconds and the offset +0000, without its colon, which ISO 8601 allows",
    ),
)
