"""The enumerations of the interface, each as its values in the document's order. Imports no pydantic."""

ENTRY_OPTION = ("DEFAULT", "ACCOUNT", "CUSTOM_RULES", "STARTING_POINT")
ENTRY_FLOW = ("SPIRAL", "GRID")
PERMISSION_TYPE = ("PUBLIC", "COMPANY_AND_CONNECTIONS", "CONNECTIONS", "COMPANY")
PLATFORM = ("PLATFORM_A", "PLATFORM_B")
THEME_TYPE = ("LAYERED", "SINGLE_IMAGE", "SINGLE_COLOR")
CTA_TYPE = ("URL", "DOWNLOAD")
BUTTON_SIZE = ("SMALL", "MEDIUM", "LARGE")
PLAYLIST_TYPE = ("FREE_PLAYLIST", "PAID_PLAYLIST")
PROCESSING_STATUS = ("PROCESSING", "COMPLETE", "FAILED")

RULES = {"property": ("emailAddress",), "operator": ("ENDS_WITH",)}
"""What rules are known to use; the interface names no property and no operator, a service may know others."""
