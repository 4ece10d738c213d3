"""LibreOffice opens what is exported for spreadsheets: texts stay texts, dates are dates, no formulas (R26)."""

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.exports.paged import PagedService, exported, registration

OFFICE = shutil.which("soffice")
pytestmark = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
TEXTS = [
    "015108470", "+49 30 1234", "+49301234", "00420777", "Ünïcödé ßtraße",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 fête", "12345678901234567890", "1e5", "2026-10-01", "1/2", "TRUE",
    "'quoted", 'a,b"c',
]  # fmt: skip
FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\u00a0=1", "\uff1d1"]
BOOLEANS = (None, "of:=TRUE()", "of:=FALSE()")  # LibreOffice's own way of holding a workbook's booleans
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE_NAMES = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


def opened(file: Path, *options: str) -> list[dict[str, tuple[str, str]]]:
    """Open a file in LibreOffice; give each row's cells, kind and text, by heading. No cell may be a formula."""
    profile = file.parent / "office"
    command = [str(OFFICE), f"-env:UserInstallation={profile.as_uri()}", "--headless", *options]
    command += ["--convert-to", "fods", "--outdir", str(file.parent / "out"), str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    sheet = ElementTree.parse(file.parent / "out" / f"{file.stem}.fods")
    rows = [_cells(row) for row in sheet.iter(f"{TABLE}table-row")]
    heading, *others = [row for row in rows if row]
    return [{name: cell for (_, name), cell in zip(heading, row, strict=False)} for row in others]


def _cells(row: ElementTree.Element) -> list[tuple[str, str]]:
    cells: list[tuple[str, str]] = []
    for cell in row:
        assert cell.get(f"{TABLE}formula") in BOOLEANS
        number = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        text = "\n".join("".join(part.itertext()) for part in cell.findall(f"{TEXT}p"))
        if number < 100:  # beyond is the rest of the sheet
            cells += [(cell.get(f"{OFFICE_NAMES}value-type", ""), text)] * number
    return cells


@pytest.mark.parametrize(
    ("form", "name", "options", "prefix"),
    [("xlsx", "r.xlsx", (), ""), ("excel-csv", "r.csv", ("--infilter=CSV:44,34,76,1,,0,true",), "'")],
)
def test_texts_stay_texts_r26(form: str, name: str, options: tuple[str, ...], prefix: str, tmp_path: Path) -> None:
    texts = enumerate([*TEXTS, *FORMULAS])
    rows = [registration(n, source=text, values=[{"name": "Answer", "value": text}]) for n, text in texts]
    exported(PagedService(rows), tmp_path / name, format=form)
    shown = opened(tmp_path / name, *options)
    expected = [("string", text) for text in (*TEXTS, *(prefix + text for text in FORMULAS))]
    assert [row["source"] for row in shown] == expected
    assert [row["Answer"] for row in shown] == expected
    assert {row["user.mobilePhone"] for row in shown} == {("string", "+49 30 1234")}
    when = {text for heading in shown[0] if heading.startswith("registeredDateTime") for text in (shown[0][heading],)}
    assert when == ({("date", "2026-10-01 12:00:00")} if form == "xlsx" else {("string", "2026-10-01T12:00:00Z")})
