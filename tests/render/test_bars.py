"""Bars made of characters."""

from roomctl.render.bars import Line, bar, chart, share, strokes

FINE, PLAIN = strokes("utf-8"), strokes("ascii")


def test_the_largest_number_takes_all_of_the_space_and_others_their_part_to_an_eighth() -> None:
    assert [bar(number, 16, 2, FINE) for number in (16, 8, 7, 1)] == ["██", "█", "▉", "▏"]


def test_a_stream_that_has_no_blocks_gets_ascii() -> None:
    assert [bar(number, 16, 4, PLAIN) for number in (16, 8, 7, 1)] == ["####", "##", "#", "#"]


def test_nothing_is_drawn_as_nothing_and_what_is_small_is_still_seen() -> None:
    assert [bar(number, 1_000_000, 10, FINE) for number in (0, 1)] == ["", "▏"]
    assert bar(0, 0, 10, FINE) == ""


def test_a_share_is_full_only_when_it_is_whole_and_empty_only_when_it_is_nothing() -> None:
    assert [share(part, 1000, 4, PLAIN, False) for part in (0, 1, 500, 999, 1000)] == [
        "----",
        "#---",
        "##--",
        "###-",
        "####",
    ]
    assert share(0, 0, 4, PLAIN, False) == "----"
    assert share(1, 2, 4, FINE, True) == "\x1b[32m██\x1b[0m\x1b[2m░░\x1b[0m"


def test_a_chart_has_its_numbers_at_the_right_and_folds_long_labels() -> None:
    lines = [Line("a long label of many words", 1200, "60.0 %"), Line("大会議室", 0, "0.0 %"), Line("c", 8, "0.4 %")]
    assert list(chart(lines, 40, PLAIN, False)) == [
        "  a long label",
        "  of many words  1,200  60.0 %  ########",
        "  大会議室           0   0.0 %",
        "  c                  8   0.4 %  #",
    ]


def test_a_chart_without_lines_is_nothing() -> None:
    assert list(chart([], 40, PLAIN, False)) == []
