"""The default columns: all of them exist, and scripts can count on those of csv and tsv."""

import pytest

from roomctl.contract.fields import fields
from roomctl.output.columns import COLUMNS, FILE_ONLY, file_columns

OURS = {"Result", "InviteResult", "RoomInviteResult", "JournalEntry", "JournalRun", "SandboxSnapshot", "SandboxFault"}
OURS |= {"SandboxRequest", "Mistake", "Rehearsed", "Profile", "PlanStep", "Finding", "LintCode"}
OURS |= {"WatchedRoom", "WatchedRoomOfSets", "RoomResult", "Verified", "Setting"}

# fmt: off
FILE_COLUMNS = {
    "User": "name userId emailAddress emailVerified mobilePhone timeZone registeredDateTime active firstName "
            "middleName lastName",
    "Social": "name socialId isOpen socialMeta.numberCurrentlyPresent startDateTime endDateTime user.name "
              "maxParticipants socialPermissionType socialRoomSetId userId description themeId configurationId "
              "dateCreated",
    "RoomSet": "name socialRoomSetId hostUser.name entryOption socialPermissionType allowGuestUsers anyoneCanStart "
               "hostAdmitted groupFormerCount startingPointSocialId hostUser.userId description",
    "Theme": "socialThemeName socialThemeId type uploadStatus.progress uploadStatus.failureReason colorPrimary "
             "colorSecondary colorBackground imageWidth imageHeight dateCreated description",
    "SocialInvite": "invitedUser.name invitedUser.emailAddress error socialInviteId didAttend dateTimeInvited "
                    "invitedUserId socialId",
    "CTAItem": "name CTAItemId type text url buttonVisible buttonSize x y buttonColor traversable imageURI",
    "EntryConfig": "name configurationId entryOption entryFlow groupSpawnSize groupFormerCount startingPointX "
                   "startingPointY rules associatedSocialIds",
    "Playlist": "name playlistId type qty duration available",
    "Recording": "name socialRecordingId status startDateTime endDateTime user.name recordingSize socialId "
                 "recordingId processingStartDateTime processingEndDateTime userId storageBucket",
    "RecordingParticipant": "user.name userId startDateTime endDateTime user.emailAddress",
    "Transcription": "name socialTranscriptionId status startDateTime user.name processingEndDateTime "
                     "socialRoomSetId processingStartDateTime storageBucket",
    "Registration": "user.name registrationId user.emailAddress confirmed registeredDateTime source values "
                    "user.userId event.name event.socialEventId event.startDateTime event.endDateTime",
    "Event": "name socialEventId startDateTime endDateTime user.name eventLink validateParticipants socialRoomSetId "
             "description",
    "Result": "input status error reply",
    "RoomResult": "input status error reply",
    "Verified": "entry operation path status seen",
    "Setting": "setting value origin",
    "InviteResult": "input status error reply",
    "RoomInviteResult": "input socialId status error reply",
    "SandboxSnapshot": "snapshot made size",
    "JournalRun": "id target input rows ok failed unknown begun finished profile command sha256 pid name",
    "JournalEntry": "id state operation planned settled profile path detail method query body origin command pid sent "
                    "run rows name made about",
    "Profile": "name default base_url key protected read_only",
    "SandboxFault": "id fault state matched applied",
    "SandboxRequest": "number at operation path query status answer fault committed method answered retryAfter empty "
                      "body answerBody",
    "WatchedRoom": "room state present change lately",
    "WatchedRoomOfSets": "room state present change lately set",
    "Mistake": "rule request operation message",
    "PlanStep": "symbol action step name people why request changes id digest",
    "Finding": "file line column severity code message",
    "LintCode": "code severity meaning advice",
    "Rehearsed": "run exit effects mistakes applied requests seconds",
}
# fmt: on


def test_the_columns_of_csv_and_tsv_are_only_ever_added_to_at_their_end() -> None:
    assert {resource: " ".join(file_columns(resource, [])) for resource in COLUMNS} == FILE_COLUMNS


@pytest.mark.parametrize("resource", sorted(COLUMNS.keys() - OURS))
def test_a_column_is_a_field_of_its_resource(resource: str) -> None:
    for path in file_columns(resource, []):
        where = resource
        for name in path.split("."):
            assert name in fields(where), f"{resource}: {path}"
            where = fields(where)[name].type


@pytest.mark.parametrize("resource", sorted(COLUMNS))
def test_what_people_see_has_a_heading_and_something_that_is_never_dropped(resource: str) -> None:
    shown = [column for column in COLUMNS[resource] if column.rank < FILE_ONLY]
    assert all(column.heading for column in shown)
    assert any(column.rank == 0 for column in shown)
