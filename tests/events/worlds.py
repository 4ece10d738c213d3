"""Room sets that are generated, in all that an event file can hold."""

from random import Random
from typing import Any

from roomctl.contract import scalars

JSON = Any
NAMES = ("Main Stage", "Loft: 2nd floor", "no", "Été", "# 1", "2026-12-01", "- x", "'quoted'", "100", "Bar & Grill")
TEXTS = ("", "plain", "two\nlines", 'with "quotes" and \\', "emoji 🎉", "null", "trailing ", "a: b # c")
ME = {"name": "Ada Lovelace", "emailAddress": "ada@example.org"}


def world(number: int) -> JSON:
    """Make a world with one set: rooms, some closed, in themes, with one configuration or several."""
    random = Random(number)
    themes = [_theme(random, name) for name in random.sample(("Blue", "Blue", "Red: dark", "yes"), random.randrange(4))]
    for place, theme in enumerate(themes):
        theme["socialThemeId"] = f"{place:08x}-0000-4000-8000-{number:012x}"
    rooms = [_room(random, name, themes) for name in random.sample(NAMES, random.randrange(6))]
    row = {
        "name": random.choice(NAMES) + f" {number}",
        **_some(random, "description", TEXTS),
        **_some(random, "socialPermissionType", scalars.PERMISSION_TYPE),
        **_some(random, "allowGuestUsers", (True, False)),
        **_some(random, "groupFormerCount", (0, 4)),
        "entryOption": random.choice(scalars.ENTRY_OPTION),
        "socials": rooms,
        "entryConfigs": [_config(random, each) for each in range(random.randrange(3))],
    }
    for place, room in enumerate(rooms):
        room["socialId"] = f"{place:08x}-1111-4000-8000-{number:012x}"
        if row["entryConfigs"] and random.random() < 0.8:
            room["configurationId"] = random.choice(row["entryConfigs"])["configurationId"]
    if rooms and rooms[0]["isOpen"] and random.random() < 0.5:
        row["startingPointSocialId"] = rooms[0]["socialId"]
    return {"users": [ME], "themes": themes, "roomSets": [row]}


def _some(random: Random, name: str, values: Any) -> JSON:
    return {name: random.choice(values)} if random.random() < 0.7 else {}


def _room(random: Random, name: str, themes: list[JSON]) -> JSON:
    day, hour = random.randrange(1, 29), random.randrange(24)
    start = f"2096-{random.choice((3, 7, 10, 12)):02}-{day:02}T{hour:02}:{random.choice((0, 30, 45)):02}:00Z"
    return {
        "name": name,
        "isOpen": random.random() < 0.85,
        **_some(random, "description", TEXTS),
        **_some(random, "startDateTime", (start, start.replace("Z", "+02:00"), start.replace(":00Z", ":07Z"))),
        **_some(random, "endDateTime", ("2096-12-30T23:59:59Z",)),
        **_some(random, "maxParticipants", (0, 12, 2**40)),
        **_some(random, "platform", scalars.PLATFORM),
        **_some(random, "recurring", (True, False)),
        **({"themeId": random.choice(themes)["socialThemeId"]} if themes and random.random() < 0.7 else {}),
    }


def _theme(random: Random, name: str) -> JSON:
    theme = {"socialThemeName": name, "type": random.choice(scalars.THEME_TYPE), "multiSize": False}
    theme |= _some(random, "colorPrimary", ("#2255aa", "rgb(1, 2, 3)"))
    theme |= _some(random, "imageWidth", (640,))
    return {**theme, **_some(random, "previewImageURI", ("https://x.example/p.png",))}


def _config(random: Random, place: int) -> JSON:
    rule = {"property": "emailAddress", "operator": "ENDS_WITH", "value": random.choice(("@example.org", "no", "1e3"))}
    key = f"{place:08x}-2222-4000-8000-{random.randrange(16**12):012x}"
    made: JSON = {"configurationId": key, "name": f"Doors {place}", "entryOption": random.choice(scalars.ENTRY_OPTION)}
    made |= {"rules": [rule] * random.randrange(3)}
    return {**made, **_some(random, "entryFlow", scalars.ENTRY_FLOW), **_some(random, "startingPointX", (-3, 120))}
