"""The 20 resource types of the interface, in its order: one class each, one line for each field. Imports no pydantic.

To add a field, add its line here: the check of what is written, `--set`, `--skeleton`, the sandbox, the OpenAPI
document and the pydantic models follow. Names are the service's own, so they keep its spelling. Which fields are
required is not shown by the interface: every field may be missing, and every field may be null.
"""

from __future__ import annotations

from roomctl.contract import enums

# What stands on the wire stays text: a model never turns it into a date or a UUID object.
Uuid = str
DateTime = str
Byte = str
EntryOption = str
EntryFlow = str
PermissionType = str
Platform = str
ThemeType = str
CTAType = str
ButtonSize = str
PlaylistType = str
ProcessingStatus = str

ENUMS: dict[str, tuple[str, ...]] = {
    "EntryOption": enums.ENTRY_OPTION,
    "EntryFlow": enums.ENTRY_FLOW,
    "PermissionType": enums.PERMISSION_TYPE,
    "Platform": enums.PLATFORM,
    "ThemeType": enums.THEME_TYPE,
    "CTAType": enums.CTA_TYPE,
    "ButtonSize": enums.BUTTON_SIZE,
    "PlaylistType": enums.PLAYLIST_TYPE,
    "ProcessingStatus": enums.PROCESSING_STATUS,
}
"""The values of an enumeration, by the name that it has in the annotations below."""


class User:
    """A person with an account."""

    userId: Uuid | None
    name: str | None
    firstName: str | None
    middleName: str | None
    lastName: str | None
    emailAddress: str | None
    emailVerified: bool | None
    preload: bool | None
    mobilePhone: str | None
    mobilePhoneVerified: bool | None
    mobilePhoneVerifiedWeb: bool | None
    profileId: str | None
    profileImageURI: str | None
    profileImageId: Uuid | None
    profileImageBackground: str | None
    timeZone: str | None
    registeredDateTime: DateTime | None
    active: bool | None
    actedAs: bool | None


class Social:
    """A room."""

    socialId: Uuid | None
    socialRoomSetId: Uuid | None  # the room set the room belongs to
    userId: Uuid | None
    companyId: Uuid | None
    name: str | None
    description: str | None
    socialURI: str | None
    sessionId: str | None
    isOpen: bool | None
    recurring: bool | None
    anyoneCanStart: bool | None
    isValid: bool | None
    free: bool | None
    allowGuestUsers: bool | None
    user: User | None
    socialPermissionType: PermissionType | None
    platform: Platform | None
    maxParticipants: int | None
    startingWidth: int | None
    startingHeight: int | None
    hostAdmitted: bool | None
    themeId: Uuid | None
    configurationId: Uuid | None  # the entry-rule configuration
    theme: Theme | None
    playlistId: Uuid | None
    artifactSetId: Uuid | None
    startDateTime: DateTime | None
    endDateTime: DateTime | None
    dateCreated: DateTime | None
    companyName: str | None
    socialMeta: SocialMeta | None
    connectedRoom: bool | None
    updatedByUser: User | None
    updatedDateTime: DateTime | None
    alternateHosts: list[User] | None
    myBadgeData: list[BadgeData] | None


class SocialMeta:
    """Who was invited to a room and who is in it, and its connections."""

    socialMetaId: Uuid | None
    numberOfInvites: int | None
    numberOfAttendees: int | None
    numberCurrentlyPresent: int | None
    audioHost: str | None
    audioElementURL: str | None
    peerConnectionURL: str | None


class BadgeData:
    """One entry of a badge."""

    title: str | None
    value: str | None
    description: str | None
    multiValues: list[str] | None
    options: list[str] | None
    required: bool | None
    featured: bool | None


class RoomSet:
    """A group of rooms."""

    socialRoomSetId: Uuid | None
    name: str | None
    description: str | None
    entryOption: EntryOption | None
    groupFormerCount: int | None
    anyoneCanStart: bool | None
    allowGuestUsers: bool | None
    hostAdmitted: bool | None
    socialPermissionType: PermissionType | None
    startingPointSocialId: Uuid | None
    hostUser: User | None
    socials: list[Social] | None
    alternateHosts: list[User] | None


class Theme:
    """What a room looks like."""

    socialThemeId: Uuid | None
    type: ThemeType | None
    socialThemeName: str | None
    description: str | None
    colorPrimary: str | None
    colorSecondary: str | None
    colorBackground: str | None
    colorGradientBackground: str | None
    colorButtonText: str | None
    colorButtonBG: str | None
    imageFarURI: str | None
    imageMidURI: str | None
    imageNearURI: str | None
    previewImageURI: str | None
    minimapImageURI: str | None
    imageWidth: int | None
    imageHeight: int | None
    templateId: str | None
    defaultArtifactSetId: Uuid | None
    dateCreated: DateTime | None
    multiSize: bool | None
    addToMiniMap: bool | None
    tiles: list[Tile] | None
    uploadStatus: UploadStatus | None


class Tile:
    """A part of a theme's image."""

    uri: str | None
    x: int | None
    y: int | None
    width: int | None
    height: int | None


class UploadStatus:
    """How far the upload of a theme's images has come."""

    requestStatusId: Uuid | None
    userId: Uuid | None
    requestId: str | None
    progress: int | None
    failureReason: str | None
    startedDateTime: DateTime | None
    endedDateTime: DateTime | None


class SocialInvite:
    """An invitation of one person to one room; `error` says why it failed."""

    socialInviteId: Uuid | None
    socialId: Uuid | None
    invitedUserId: Uuid | None
    invitedUser: User | None
    didAttend: bool | None
    dateTimeInvited: DateTime | None
    error: str | None


class CTAItem:
    """A call-to-action item of a room."""

    CTAItemId: int | None
    type: CTAType | None
    name: str | None
    text: str | None
    url: str | None
    x: int | None
    y: int | None
    imageWidth: int | None
    imageHeight: int | None
    buttonColor: str | None
    buttonTextColor: str | None
    buttonSize: ButtonSize | None
    buttonVisible: bool | None
    traversable: bool | None
    imageURI: str | None
    imageBytes: Byte | None


class EntryConfig:
    """An entry rules configuration."""

    configurationId: Uuid | None
    name: str | None
    entryOption: EntryOption | None
    groupSpawnSize: int | None
    groupFormerCount: int | None
    startingPointX: int | None
    startingPointY: int | None
    entryFlow: EntryFlow | None
    rules: list[Rule] | None
    associatedSocialIds: list[Uuid] | None


class Rule:
    """One rule of an entry configuration."""

    property: str | None
    operator: str | None
    value: str | None


class Playlist:
    """An audio playlist."""

    playlistId: Uuid | None
    name: str | None
    type: PlaylistType | None
    qty: int | None
    duration: int | None
    available: bool | None


class Recording:
    """A recording of a room."""

    socialRecordingId: Uuid | None
    socialId: Uuid | None
    userId: Uuid | None
    recordingId: str | None
    status: ProcessingStatus | None
    name: str | None
    storageBucket: str | None
    recordingSize: int | None
    startDateTime: DateTime | None
    endDateTime: DateTime | None
    processingStartDateTime: DateTime | None
    processingEndDateTime: DateTime | None
    participants: list[RecordingParticipant] | None
    user: User | None


class RecordingParticipant:
    """Who was in a recorded room, and when."""

    userId: Uuid | None
    startDateTime: DateTime | None
    endDateTime: DateTime | None
    user: User | None


class Transcription:
    """A transcription of a room set's audio."""

    socialTranscriptionId: Uuid | None
    socialRoomSetId: Uuid | None
    status: ProcessingStatus | None
    name: str | None
    storageBucket: str | None
    startDateTime: DateTime | None
    processingStartDateTime: DateTime | None
    processingEndDateTime: DateTime | None
    user: User | None


class Registration:
    """A person's registration for an event. Its two bearer fields carry credentials: decoding a reply removes them."""

    registrationId: Uuid | None
    source: str | None
    registeredDateTime: DateTime | None
    confirmed: bool | None
    user: User | None
    event: Event | None
    values: list[RegistrationValue] | None
    guestBearer: str | None
    refreshBearer: str | None


class RegistrationValue:
    """One answer given at registration."""

    name: str | None
    value: str | None


class Event:
    """A scheduled gathering; not a notification."""

    socialEventId: Uuid | None
    name: str | None
    description: str | None
    eventLink: str | None
    eventColor: str | None
    validateParticipants: bool | None
    startDateTime: DateTime | None
    endDateTime: DateTime | None
    socialRoomSetId: Uuid | None
    logoImageId: Uuid | None
    logoImageURI: str | None
    user: User | None


class CustomTheme:
    """The body of operation 10: a theme and its images."""

    theme: Theme | None
    imageBytes: Byte | None
    imageFarBytes: Byte | None
    imageMidBytes: Byte | None
    imageNearBytes: Byte | None
    imageFarId: Uuid | None
    imageMidId: Uuid | None
    imageNearId: Uuid | None


SHAPES: dict[str, type] = {
    shape.__name__: shape
    for shape in (
        User, Social, SocialMeta, BadgeData, RoomSet, Theme, Tile, UploadStatus, SocialInvite, CTAItem, EntryConfig,
        Rule, Playlist, Recording, RecordingParticipant, Transcription, Registration, RegistrationValue, Event,
        CustomTheme,
    )
}  # fmt: skip
