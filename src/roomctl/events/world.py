"""An event file → a world of the sandbox in which it stands: rehearsals begin where the evening is."""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

from roomctl.events.event_file import Evening, Part

JSON = Any


def world_of(evening: Evening) -> JSON:
    room_set: JSON = {"name": evening.name, **evening.settings}
    room_set |= {"socialRoomSetId": evening.id} if evening.id else {}
    starts = next((each for each in evening.rooms if each.is_one_of((evening.starting_point,))), None)
    if starts is not None:
        room_set["startingPointSocialId"] = _id(evening, starts, "room")
    room_set["socials"] = []
    for part in evening.rooms:
        rules = [each for each in evening.rules if each.rooms is None or part.is_one_of(each.rooms)]
        ids = {"socialId": _id(evening, part, "room")}
        if (theme := evening.themes.get(part.theme)) is not None:
            ids["themeId"] = _id(evening, theme, part.theme)
        if rules:
            ids["configurationId"] = _id(evening, rules[0], "rules")
        room_set["socials"].append({**part.fields, **ids})
    room_set["entryConfigs"] = [
        {**part.fields, "configurationId": _id(evening, part, "rules")} for part in evening.rules
    ]
    people = [row.columns for part in evening.rooms if part.people for row in part.people.rows]
    users = [{"userId": each.get("invitedUserId"), "emailAddress": each.get("emailAddress")} for each in people]
    once = {str(each["userId"] or each["emailAddress"]).casefold(): each for each in users}
    return {
        "users": [{"name": "Me"}, *once.values()],
        "themes": [{**part.fields, "socialThemeId": _id(evening, part, key)} for key, part in evening.themes.items()],
        "playlists": [dict(part.fields) for part in evening.playlists],
        "roomSets": [room_set],
    }


def _id(evening: Evening, part: Part, kind: str) -> str:
    """Give the id of a part: its own, or one that follows from its place in this file."""
    return part.id or str(uuid5(NAMESPACE_URL, repr((evening.name, kind, part.name, part.path))))
