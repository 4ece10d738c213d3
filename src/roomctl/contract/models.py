"""The 20 resource types of the interface, in its order: one pydantic model each, one line for each field.

The only declaration: checks of what is written, the sandbox, `--skeleton`, `--set`, `--fields` and OpenAPI follow
from it. Any field may be missing or null, for the interface does not show which are required.
A date or an id stays the text that it is on the wire. Importing pydantic costs more than a short command: what needs
only the names of fields reads `fields.json`, which `pytest --update` writes from the models.
"""

from __future__ import annotations  # noqa: I001  (the names below, one a line, would be half a page)

from roomctl.contract.annotations import (
    Boolean, ButtonSize, Byte, Credential, CTAType, DateTime, EntryFlow, EntryOption, Integer, PermissionType, Platform,
    PlaylistType, ProcessingStatus, Resource, Text, ThemeType, Uuid,
)  # fmt: skip


class User(Resource):
    """A person with an account."""

    userId: Uuid | None = None
    name: Text | None = None
    firstName: Text | None = None
    middleName: Text | None = None
    lastName: Text | None = None
    emailAddress: Text | None = None
    emailVerified: Boolean | None = None
    preload: Boolean | None = None
    mobilePhone: Text | None = None
    mobilePhoneVerified: Boolean | None = None
    mobilePhoneVerifiedWeb: Boolean | None = None
    profileId: Text | None = None
    profileImageURI: Text | None = None
    profileImageId: Uuid | None = None
    profileImageBackground: Text | None = None
    timeZone: Text | None = None
    registeredDateTime: DateTime | None = None
    active: Boolean | None = None
    actedAs: Boolean | None = None


class Social(Resource):
    """A room."""

    socialId: Uuid | None = None
    socialRoomSetId: Uuid | None = None  # the room set the room belongs to
    userId: Uuid | None = None
    companyId: Uuid | None = None
    name: Text | None = None
    description: Text | None = None
    socialURI: Text | None = None
    sessionId: Text | None = None
    isOpen: Boolean | None = None
    recurring: Boolean | None = None
    anyoneCanStart: Boolean | None = None
    isValid: Boolean | None = None
    free: Boolean | None = None
    allowGuestUsers: Boolean | None = None
    user: User | None = None
    socialPermissionType: PermissionType | None = None
    platform: Platform | None = None
    maxParticipants: Integer | None = None
    startingWidth: Integer | None = None
    startingHeight: Integer | None = None
    hostAdmitted: Boolean | None = None
    themeId: Uuid | None = None
    configurationId: Uuid | None = None  # the entry-rule configuration
    theme: Theme | None = None
    playlistId: Uuid | None = None
    artifactSetId: Uuid | None = None
    startDateTime: DateTime | None = None
    endDateTime: DateTime | None = None
    dateCreated: DateTime | None = None
    companyName: Text | None = None
    socialMeta: SocialMeta | None = None
    connectedRoom: Boolean | None = None
    updatedByUser: User | None = None
    updatedDateTime: DateTime | None = None
    alternateHosts: list[User] | None = None
    myBadgeData: list[BadgeData] | None = None


class SocialMeta(Resource):
    """Who was invited to a room and who is in it, and its connections."""

    socialMetaId: Uuid | None = None
    numberOfInvites: Integer | None = None
    numberOfAttendees: Integer | None = None
    numberCurrentlyPresent: Integer | None = None
    audioHost: Text | None = None
    audioElementURL: Text | None = None
    peerConnectionURL: Text | None = None


class BadgeData(Resource):
    """One entry of a badge."""

    title: Text | None = None
    value: Text | None = None
    description: Text | None = None
    multiValues: list[Text] | None = None
    options: list[Text] | None = None
    required: Boolean | None = None
    featured: Boolean | None = None


class RoomSet(Resource):
    """A group of rooms."""

    socialRoomSetId: Uuid | None = None
    name: Text | None = None
    description: Text | None = None
    entryOption: EntryOption | None = None
    groupFormerCount: Integer | None = None
    anyoneCanStart: Boolean | None = None
    allowGuestUsers: Boolean | None = None
    hostAdmitted: Boolean | None = None
    socialPermissionType: PermissionType | None = None
    startingPointSocialId: Uuid | None = None
    hostUser: User | None = None
    socials: list[Social] | None = None
    alternateHosts: list[User] | None = None


class Theme(Resource):
    """What a room looks like."""

    socialThemeId: Uuid | None = None
    type: ThemeType | None = None
    socialThemeName: Text | None = None
    description: Text | None = None
    colorPrimary: Text | None = None
    colorSecondary: Text | None = None
    colorBackground: Text | None = None
    colorGradientBackground: Text | None = None
    colorButtonText: Text | None = None
    colorButtonBG: Text | None = None
    imageFarURI: Text | None = None
    imageMidURI: Text | None = None
    imageNearURI: Text | None = None
    previewImageURI: Text | None = None
    minimapImageURI: Text | None = None
    imageWidth: Integer | None = None
    imageHeight: Integer | None = None
    templateId: Text | None = None
    defaultArtifactSetId: Uuid | None = None
    dateCreated: DateTime | None = None
    multiSize: Boolean | None = None
    addToMiniMap: Boolean | None = None
    tiles: list[Tile] | None = None
    uploadStatus: UploadStatus | None = None


class Tile(Resource):
    """A part of a theme's image."""

    uri: Text | None = None
    x: Integer | None = None
    y: Integer | None = None
    width: Integer | None = None
    height: Integer | None = None


class UploadStatus(Resource):
    """How far the upload of a theme's images has come."""

    requestStatusId: Uuid | None = None
    userId: Uuid | None = None
    requestId: Text | None = None
    progress: Integer | None = None
    failureReason: Text | None = None
    startedDateTime: DateTime | None = None
    endedDateTime: DateTime | None = None


class SocialInvite(Resource):
    """An invitation of one person to one room; `error` says why it failed."""

    socialInviteId: Uuid | None = None
    socialId: Uuid | None = None
    invitedUserId: Uuid | None = None
    invitedUser: User | None = None
    didAttend: Boolean | None = None
    dateTimeInvited: DateTime | None = None
    error: Text | None = None


class CTAItem(Resource):
    """A call-to-action item of a room."""

    CTAItemId: Integer | None = None
    type: CTAType | None = None
    name: Text | None = None
    text: Text | None = None
    url: Text | None = None
    x: Integer | None = None
    y: Integer | None = None
    imageWidth: Integer | None = None
    imageHeight: Integer | None = None
    buttonColor: Text | None = None
    buttonTextColor: Text | None = None
    buttonSize: ButtonSize | None = None
    buttonVisible: Boolean | None = None
    traversable: Boolean | None = None
    imageURI: Text | None = None
    imageBytes: Byte | None = None


class EntryConfig(Resource):
    """An entry rules configuration."""

    configurationId: Uuid | None = None
    name: Text | None = None
    entryOption: EntryOption | None = None
    groupSpawnSize: Integer | None = None
    groupFormerCount: Integer | None = None
    startingPointX: Integer | None = None
    startingPointY: Integer | None = None
    entryFlow: EntryFlow | None = None
    rules: list[Rule] | None = None
    associatedSocialIds: list[Uuid] | None = None


class Rule(Resource):
    """One rule of an entry configuration."""

    property: Text | None = None
    operator: Text | None = None
    value: Text | None = None


class Playlist(Resource):
    """An audio playlist."""

    playlistId: Uuid | None = None
    name: Text | None = None
    type: PlaylistType | None = None
    qty: Integer | None = None
    duration: Integer | None = None
    available: Boolean | None = None


class Recording(Resource):
    """A recording of a room."""

    socialRecordingId: Uuid | None = None
    socialId: Uuid | None = None
    userId: Uuid | None = None
    recordingId: Text | None = None
    status: ProcessingStatus | None = None
    name: Text | None = None
    storageBucket: Text | None = None
    recordingSize: Integer | None = None
    startDateTime: DateTime | None = None
    endDateTime: DateTime | None = None
    processingStartDateTime: DateTime | None = None
    processingEndDateTime: DateTime | None = None
    participants: list[RecordingParticipant] | None = None
    user: User | None = None


class RecordingParticipant(Resource):
    """Who was in a recorded room, and when."""

    userId: Uuid | None = None
    startDateTime: DateTime | None = None
    endDateTime: DateTime | None = None
    user: User | None = None


class Transcription(Resource):
    """A transcription of a room set's audio."""

    socialTranscriptionId: Uuid | None = None
    socialRoomSetId: Uuid | None = None
    status: ProcessingStatus | None = None
    name: Text | None = None
    storageBucket: Text | None = None
    startDateTime: DateTime | None = None
    processingStartDateTime: DateTime | None = None
    processingEndDateTime: DateTime | None = None
    user: User | None = None


class Registration(Resource):
    """A person's registration for an event. Its two bearer fields carry credentials: decoding a reply removes them."""

    registrationId: Uuid | None = None
    source: Text | None = None
    registeredDateTime: DateTime | None = None
    confirmed: Boolean | None = None
    user: User | None = None
    event: Event | None = None
    values: list[RegistrationValue] | None = None
    guestBearer: Credential | None = None
    refreshBearer: Credential | None = None


class RegistrationValue(Resource):
    """One answer given at registration."""

    name: Text | None = None
    value: Text | None = None


class Event(Resource):
    """A scheduled gathering; not a notification."""

    socialEventId: Uuid | None = None
    name: Text | None = None
    description: Text | None = None
    eventLink: Text | None = None
    eventColor: Text | None = None
    validateParticipants: Boolean | None = None
    startDateTime: DateTime | None = None
    endDateTime: DateTime | None = None
    socialRoomSetId: Uuid | None = None
    logoImageId: Uuid | None = None
    logoImageURI: Text | None = None
    user: User | None = None


class CustomTheme(Resource):
    """The body of operation 10: a theme and its images."""

    theme: Theme | None = None
    imageBytes: Byte | None = None
    imageFarBytes: Byte | None = None
    imageMidBytes: Byte | None = None
    imageNearBytes: Byte | None = None
    imageFarId: Uuid | None = None
    imageMidId: Uuid | None = None
    imageNearId: Uuid | None = None


RESOURCES: dict[str, type[Resource]] = {model.__name__: model for model in Resource.__subclasses__()}
