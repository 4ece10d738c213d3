"""A world as `sandbox seed --input` takes it, to begin one's own from."""

EXAMPLE = """\
# A world for the sandbox: `roomctl sandbox seed --input FILE`. Every list and every field may be left out.
# Fields are those of the service; what has no id gets one that is the same each time. The first user is you.
users:
  - name: Ada Lovelace
    emailAddress: ada@example.org
    timeZone: Europe/London
  - userId: 5d0c1f66-52c5-4a0e-8a51-3f6f3f1f8a02
    name: Grace Hopper
    emailAddress: grace@example.org
themes:
  - socialThemeName: Blue
    type: SINGLE_COLOR
    colorPrimary: "#2255aa"
playlists:
  - name: Arrivals
    type: FREE_PLAYLIST
roomSets:
  - name: Winter Conference
    entryConfigs:                       # the first one is that of every room that names none
      - name: Doors
        entryOption: CUSTOM_RULES
        rules:
          - {property: emailAddress, operator: ENDS_WITH, value: "@example.org"}
    transcriptions:
      - {name: Keynote, status: COMPLETE}
    socials:                            # the rooms of the set
      - name: Main Stage
        isOpen: true
        user: {emailAddress: ada@example.org}     # a person of `users`, by id or address; another one is added
        theme: {socialThemeName: Blue}            # a theme of `themes`, by id or name
        startDateTime: 2026-12-01T18:00:00+01:00
        endDateTime: 2026-12-01T20:00:00+01:00
        socialMeta: {numberCurrentlyPresent: 12}
        ctaItems:
          - {type: URL, name: Agenda, text: See the agenda, url: "https://example.org/agenda", x: 100, y: 60}
        recordings:
          - name: Rehearsal
            status: COMPLETE
            startDateTime: 2026-11-30T18:00:00+01:00
            endDateTime: 2026-11-30T18:30:00+01:00
            participants:
              - user: {emailAddress: grace@example.org}
                startDateTime: 2026-11-30T18:02:00+01:00
                endDateTime: 2026-11-30T18:30:00+01:00
      - name: Lounge
        isOpen: false
events:
  - socialEventId: 0b9a4c1e-7f0d-4b83-9a3e-6d1c2f3a4b5c
    name: Winter Conference
    startDateTime: 2026-12-01T18:00:00+01:00
    endDateTime: 2026-12-01T20:00:00+01:00
    registrations:
      - user: {emailAddress: grace@example.org}
        source: WEB
        confirmed: true
        registeredDateTime: 2026-11-20T09:15:00Z
        values:                         # the answers to your own questions
          - {name: Dietary needs, value: vegan}
          - {name: T-shirt size, value: M}
"""
