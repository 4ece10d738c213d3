"""The people of the seeded world: names from many places, in the forms in which real lists have them."""

from functools import lru_cache
from random import Random
from typing import Any

from roomctl.sandbox.store import derived_id

JSON = Any
# fmt: off
FIRST = (
    "Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Margaret", "Linus", "Radia", "Ken", "Frances",
    "Dennis", "Hedy", "Tim", "Katherine", "Niklaus", "Jürgen", "Zoë", "Søren", "Łukasz", "Renée", "Ángel",
    "Ğökçe", "Þóra", "Dvořák", "Nguyễn", "Chinua", "Wangari", "Amara", "Kofi", "Priya", "Arjun", "Mei", "Haruto",
    "Yuki", "Ji-woo",
)
LAST = (
    "Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Knuth", "Hamilton", "Torvalds", "Perlman", "Thompson",
    "Allen", "Ritchie", "Lamarr", "Berners-Lee", "Johnson", "Wirth", "Müller", "O'Brien", "Ødegård", "Wałęsa",
    "Brontë", "Núñez", "Çelik", "Jónsdóttir", "Novák", "Trần", "Achebe", "Maathai", "Diallo", "Mensah", "Sharma",
    "Patel", "Wáng", "Suzuki", "Tanaka", "Kim",
)
# fmt: on
SPECIAL = (("李", "小龍"), ("Анна", "Каренина"), ("Sam 🎉", "Party"), ("محمد", "الخوارزمي"))
ZONES = ("Europe/Berlin", "Europe/London", "America/New_York", "Asia/Tokyo", "Africa/Nairobi", "America/Sao_Paulo")
PHONES = ("+49 170 {:07}", "0151 {:08}", "+44 7700 {:06}", "001 212 {:07}", "030 {:07}")


@lru_cache(maxsize=256)  # a large world has few names
def ascii_of(text: str) -> str:
    """Write a name as it stands in an address."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "".join(character for character in plain if character.isalnum()) or f"u{len(text)}"


def person(random: Random, number: int, *parts: object) -> JSON:
    """Make a person; the same number, parts and random state make the same one."""
    if number < len(FIRST) and number < len(LAST):
        first, last = FIRST[number], LAST[number]
    elif random.random() < 0.02:
        first, last = SPECIAL[number % len(SPECIAL)]
    else:
        first, last = random.choice(FIRST), random.choice(LAST)
    suffix = "" if number < len(FIRST) else str(number)
    phone = random.choice(PHONES)
    return {
        "userId": derived_id(*parts, "user", number),
        "name": f"{first} {last}",
        "firstName": first,
        "lastName": last,
        "emailAddress": f"{ascii_of(first)}.{ascii_of(last)}{suffix}@example.org",
        "emailVerified": random.random() < 0.9,
        "mobilePhone": phone.format(random.randrange(10 ** int(phone[-2]))),
        "mobilePhoneVerified": random.random() < 0.5,
        "timeZone": random.choice(ZONES),
        "active": True,
    }
