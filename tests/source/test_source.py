"""Reading files: everything has its place, nothing that hurts gets in, and nothing is raised."""

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ruleproof.model.source import json_file
from ruleproof.model.source import yaml_file as source
from ruleproof.model.source.errors import Place, Reporter, split_lines
from ruleproof.model.source.json_file import read_json
from ruleproof.model.source.tree import Json, SpecNode, node_at, to_plain
from ruleproof.model.source.yaml_file import read_yaml

PARSERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])]


@pytest.fixture(params=PARSERS, ids=lambda parser: parser.__name__, autouse=True)
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every law with both of PyYAML's parsers."""
    monkeypatch.setattr(source, "LOADER", request.param)


class Reader:
    """Reads text through a file, as a user would."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "game.yaml"
        self.reporter = Reporter()

    def yaml(self, text: str | bytes) -> SpecNode | None:
        """Write and read YAML."""
        self.reporter = Reporter()
        self.file.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_yaml(self.file, self.reporter, display_name="game.yaml")

    def json(self, text: str | bytes) -> Json:
        """Write and read JSON."""
        self.reporter = Reporter()
        self.file.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_json(self.file, self.reporter)

    def good(self, text: str) -> SpecNode:
        """Read YAML that has nothing wrong."""
        node = self.yaml(text)
        assert self.reporter.diagnostics == ()
        assert node is not None
        return node

    @property
    def codes(self) -> list[str]:
        """The codes of what was reported, each with its place."""
        return [
            f"{each.code} {each.place.line}:{each.place.column}"
            for each in self.reporter.diagnostics
        ]


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """Return a reader with a file of its own."""
    return Reader(tmp_path)


def entry(node: SpecNode, name: str) -> SpecNode:
    """Look up a key."""
    assert isinstance(node.value, dict)
    return node.value[name]


def nodes(node: SpecNode) -> Iterator[SpecNode]:
    """List a node and all below it."""
    yield node
    if isinstance(node.value, tuple):
        for item in node.value:
            yield from nodes(item)
    elif isinstance(node.value, dict):
        for item in node.value.values():
            yield from nodes(item)


# --- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("true", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("010", 10),
        ("0o17", 15),
        ("0xFf", 255),
        ("-7", -7),
        ("+0", 0),
        ("0", 0),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2001-01-01", "2001-01-01"),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("999999999999999999", 10**18 - 1),
        ("-999999999999999999", 1 - 10**18),
        ('"5"', "5"),
        ("'true'", "true"),
        ("!!str 5", "5"),
        ('!!int "5"', 5),
        ("=", "="),
        ("٣", "٣"),
        ("|\n  5\n", "5\n"),
    ],
)
def test_scalars_mean_what_they_look_like(reader: Reader, text: str, value: object) -> None:
    """Plain scalars follow the core schema of YAML 1.2."""
    read = to_plain(entry(reader.good(f"a: {text}"), "a"))

    assert read == value
    assert type(read) is type(value)


def test_on_is_a_key(reader: Reader) -> None:
    """The key `on` is text, unlike in YAML 1.1."""
    assert to_plain(reader.good("on: draw\nno: 1\n")) == {"on": "draw", "no": 1}


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "\ufeff", "--- \n...\n"])
def test_an_empty_file_is_nothing(reader: Reader, text: str) -> None:
    """A file without a value is read as None, without complaint."""
    assert reader.good(text).value is None


def test_a_byte_order_mark_is_skipped(reader: Reader) -> None:
    """A mark at the beginning shifts no column."""
    node = reader.good("\ufeffa: 1")

    assert (node.keys["a"].line, node.keys["a"].column) == (1, 1)


def test_kinds_are_named(reader: Reader) -> None:
    """Every kind of value has a name for messages."""
    node = reader.good("[~, true, 1, 1.5, a, [], {}]")

    assert isinstance(node.value, tuple)
    assert [item.kind for item in node.value] == [
        "nothing",
        "a truth value",
        "a number",
        "a decimal number",
        "text",
        "a list",
        "a mapping",
    ]


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(1 - 10**18, 10**18 - 1)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp", "Cn"])),
    lambda below: (
        st.lists(below, max_size=5)
        | st.dictionaries(st.text(st.characters(codec="ascii", min_codepoint=32)), below)
    ),
    max_leaves=20,
)
FUZZ = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@FUZZ
@given(JSON_VALUES)
def test_what_is_written_is_read(reader: Reader, value: Json) -> None:
    """JSON comes back as it was from both readers, since JSON is YAML 1.2."""
    text = json.dumps(value)
    if "\\u007f" in text or "\x7f" in text:
        return

    assert reader.json(text) == value
    assert reader.reporter.diagnostics == ()
    if max(map(len, text.split(":"))) < 900 and "\\ud" not in text:
        assert to_plain(reader.good(json.dumps(value, ensure_ascii=False))) == value


# --- places ---------------------------------------------------------------------------------------

SAMPLE = """\
name: War
cards:
  - id: ace
    text: "a \\"b\\" c"
  - [1, two]
rule: |
  when x
    then y

  end
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ([], (1, 1, 2)),
        (["name"], (1, 7, 10)),
        (["cards", 0, "id"], (3, 9, 12)),
        (["cards", 0, "text"], (4, 11, 22)),
        (["cards", 1, 1], (5, 9, 12)),
        (["cards", 7, "id"], (3, 3, 4)),
        (["rule"], (6, 7, 8)),
        (["nowhere"], (1, 1, 2)),
    ],
)
def test_paths_lead_to_places(
    reader: Reader, path: list[str | int], place: tuple[int, int, int]
) -> None:
    """The path of a schema error leads to the value, or as near as there is."""
    node = reader.good(SAMPLE)

    assert node_at(node, path).place == Place("game.yaml", *place)


def in_step(node: SpecNode, lines: tuple[str, ...]) -> list[tuple[str, str]]:
    """List where the characters of a text differ from those at their places in the file."""
    assert isinstance(node.value, str)
    wrong: list[tuple[str, str]] = []
    for row, line in enumerate(node.value.split("\n")):
        for column, char in enumerate(line):
            place = node.text_place(row, column)
            found = lines[place.line - 1][place.column - 1 : place.column]
            if found != char:
                wrong.append((char, found))
    return wrong


@pytest.mark.parametrize(
    "text",
    [
        "a: plain text # comment",
        "a:   'single'",
        "a: |\n  one\n    two\n\n  three\n",
        "a: |\n\n \n  one\n",
        "a: |2-  # comment\n    indented\n  less\nb: 1",
        "a: |+\n  one\n\n\nb: 1",
        "- - a: |\n      deep\n      deeper\n",
        "a: |\r\n  one\r\n  two\r\n",
        "a: |\n  漢字 x\n  y",
        "a: !!str plain",
        "--- |\n x\n y\n",
        "a: !!str # comment\n\n  plain\n",
        "a: !!str\n  |2-\n     x\n    y\n",
        "a: !!str 'quoted'",
    ],
)
def test_texts_map_to_the_file_exactly(reader: Reader, text: str) -> None:
    """In literal blocks and on single lines, each character is found at its place."""
    texts = [node for node in nodes(reader.good(text)) if isinstance(node.value, str)]

    assert texts
    for node in texts:
        assert in_step(node, split_lines(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "a: >\n  one two\n  three\n\n  four\n\n    more\n  end\nb: 1\n",
        "a: >-\n  one\n  two",
        "a: plain goes\n   on  here\n\n   and here\nb: 1",
        "a: 'single goes\n   on  here\n\n   and here'",
        'a: "double goes\n   on  here\n\n   and here"',
        "a: one one one\n  one one\n  one",
    ],
)
def test_folded_lines_are_found_again(reader: Reader, text: str) -> None:
    """Where lines are folded, only the blank that stands for the line break has no place."""
    for node in nodes(reader.good(text)):
        if isinstance(node.value, str):
            wrong = in_step(node, split_lines(text))
            assert all(char == " " and found == "" for char, found in wrong)


def test_escapes_keep_the_columns(reader: Reader) -> None:
    """Behind an escape the columns of the file go on where they should."""
    double = entry(reader.good('a: "\\x41\\u0042\\" \\\\ end\\n!"'), "a")
    single = entry(reader.good("a: 'it''s so'"), "a")

    assert double.value == 'AB" \\ end\n!'
    assert double.text_place(0, 1).column == 9
    assert double.text_place(0, 6).column == 21
    assert double.text_place(1, 0) == Place("game.yaml", 1, 26, 27)
    assert single.text_place(0, 5) == Place("game.yaml", 1, 11, 12)


def test_positions_outside_stay_near(reader: Reader) -> None:
    """A position before or behind the text maps to its nearest end."""
    node = entry(reader.good("a: |\n  one\n  two\nb: 1"), "a")

    assert node.text_place(-1, -1) == Place("game.yaml", 2, 3, 4)
    assert node.text_place(1, 3).column == 6
    assert node.text_place(99, 99).line == 3


def test_joined_lines_are_found_again(reader: Reader) -> None:
    """A line break behind a backslash is no part of the text."""
    text = 'a: "one \\\n   two"'
    node = entry(reader.good(text), "a")

    assert node.value == "one two"
    assert node.text_place(0, 4) == Place("game.yaml", 2, 4, 5)


def test_a_mended_text_still_has_places(reader: Reader) -> None:
    """Where the text is no longer that of the file, places stay within the scalar."""
    node = reader.yaml('a: "x\\0y"\nb: 1')

    assert reader.codes == ["RP105 1:4"]
    assert node is not None
    assert entry(node, "a").text_place(0, 2).line == 1


def test_numbers_have_no_text(reader: Reader) -> None:
    """Asked for a position inside of something else than text, a node gives its own place."""
    node = entry(reader.good("a: 15"), "a")

    assert node.text_place(3, 3) == node.place == Place("game.yaml", 1, 4, 6)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param("a: [1, 2", ["RP106 1:9"], id="open bracket"),
        pytest.param("a: b: c", ["RP106 1:5"], id="two colons"),
        pytest.param("a: @x", ["RP106 1:4"], id="reserved character"),
        pytest.param("a: &x 1\nb: *x", ["RP109 1:4", "RP109 2:4"], id="alias"),
        pytest.param("? *x\n: 1", ["RP109 1:3"], id="alias as key"),
        pytest.param("a: &x [1]", ["RP109 1:4"], id="anchor"),
        pytest.param("a:\n  <<: {b: 1}", ["RP109 2:3"], id="merge key"),
        pytest.param("a: 1\nb: 2\na: 3", ["RP110 3:1"], id="key twice"),
        pytest.param("1: x\ntrue: y", ["RP111 1:1", "RP111 2:1"], id="other keys"),
        pytest.param("? [a]\n: 1", ["RP111 1:3"], id="list as key"),
        pytest.param("? \n: 1", ["RP111 1:2"], id="no key"),
        pytest.param("a: !!python/object:os.system 1", ["RP112 1:4"], id="object tag"),
        pytest.param("a: !mine [1]", ["RP112 1:4"], id="own tag"),
        pytest.param("a: !!binary aGk=", ["RP112 1:4"], id="binary"),
        pytest.param("a: !!set {x}", ["RP112 1:4"], id="set"),
        pytest.param("a: !!int x", ["RP112 1:4"], id="tag that does not fit"),
        pytest.param("a: !!float true", ["RP112 1:4"], id="truth is no number"),
        pytest.param("a: 1\n---\nb: 2", ["RP113 2:1"], id="two documents"),
        pytest.param("a: 1000000000000000000", ["RP114 1:4"], id="nineteen digits"),
        pytest.param("a: " + "9" * 10000, ["RP114 1:4"], id="many digits"),
        pytest.param("a: 0xFFFFFFFFFFFFFFFF", ["RP114 1:4"], id="hexadecimal"),
        pytest.param("a: 1e999", ["RP114 1:4"], id="infinite"),
        pytest.param("a: [.inf, .nan]", ["RP114 1:5", "RP114 1:11"], id="no number"),
        pytest.param("a: b\x00c", ["RP105 1:5"], id="NUL"),
        pytest.param("a: \x1b[31m", ["RP105 1:4"], id="escape sequence"),
        pytest.param('a: "\\e[31m"', ["RP105 1:4"], id="escaped escape"),
        pytest.param('a: "\\0"', ["RP105 1:4"], id="escaped NUL"),
        pytest.param("a: x\u202ey", ["RP105 1:5"], id="right to left"),
        pytest.param("a: x\u2028y", ["RP105 1:5"], id="line separator"),
        pytest.param("a:\n\t- b\n \tc", ["RP116 2:1", "RP116 3:2"], id="tabs"),
        pytest.param(b"a: \xff", ["RP104 1:4"], id="no UTF-8"),
        pytest.param("ä: 1".encode("utf-16"), ["RP104 1:1"], id="UTF-16"),
        pytest.param("[" * 65 + "]" * 65, ["RP107 1:65"], id="deep"),
        pytest.param("- " * 70 + "x", ["RP107 1:129"], id="deep lists"),
        pytest.param("%TAG ! tag:x,2000:\n--- !a b", ["RP112 2:5"], id="tag directive"),
    ],
)
def test_bad_yaml_is_reported(reader: Reader, text: str | bytes, codes: list[str]) -> None:
    """Each kind of bad input has its code, and is reported where it stands."""
    reader.yaml(text)

    assert reader.codes == codes


def test_escapes_beyond_unicode_are_reported(reader: Reader) -> None:
    """What makes one of the parsers stumble is an error of the file like others."""
    assert reader.yaml('a: "\\UFFFFFFFF"') is None
    assert [code.split()[0] for code in reader.codes] == ["RP106"]


def test_depth_is_allowed_up_to_the_limit(reader: Reader) -> None:
    """Sixty-four levels pass."""
    assert reader.good("[" * 64 + "]" * 64).value


@pytest.mark.parametrize(
    "text",
    ["[" * 500_000, "{" * 500_000, "- " * 500_000, "? " * 500_000, "{a: " * 200_000],
    ids=["[", "{", "-", "?", "{a:"],
)
def test_bottomless_files_are_stopped_early(reader: Reader, text: str) -> None:
    """Nesting without end costs neither the stack nor much time."""
    begun = time.perf_counter()
    reader.yaml(text)

    assert [code.split()[0] for code in reader.codes] in (["RP107"], ["RP106"])
    assert time.perf_counter() - begun < 10


def test_too_many_values_are_refused(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of values is limited, whatever the size of the file."""
    monkeypatch.setattr(source, "MAX_NODES", 100)

    assert reader.yaml("[" + "a," * 100 + "]") is None
    assert reader.codes == ["RP108 1:200"]


def test_a_bomb_does_not_go_off(reader: Reader) -> None:
    """Aliases are never followed, so that nine lines stay nine lines."""
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    reader.yaml("\n".join(lines))

    assert {code.split()[0] for code in reader.codes} == {"RP109"}


def test_all_errors_of_a_file_come_in_one_run(reader: Reader) -> None:
    """The reader goes on behind what it can mend, and gives back the rest."""
    node = reader.yaml("a: &x 1\na: 2\n3: 4\nb: !t 5\nc: fine\n")

    assert reader.codes == ["RP109 1:4", "RP110 2:1", "RP111 3:1", "RP112 4:4"]
    assert node is not None
    assert to_plain(entry(node, "c")) == "fine"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a: b: c", "quotes"),
        ("a: @x", "quotes"),
        ("a:\n\t- b", "blanks"),
        ("yes: 1\n2: 3", '"2"'),
        ("ä".encode("latin-1"), "UTF-8"),
    ],
)
def test_common_slips_come_with_help(reader: Reader, text: str | bytes, hint: str) -> None:
    """What people get wrong most has a hint."""
    reader.yaml(text)

    assert hint in reader.reporter.diagnostics[0].help


def test_the_lines_are_kept_for_excerpts(reader: Reader) -> None:
    """The reporter knows the text of a file that is wrong."""
    reader.yaml("a: 1\na: 2\n")

    assert reader.reporter.sources["game.yaml"] == ("a: 1", "a: 2", "")


# --- files ----------------------------------------------------------------------------------------

READERS = pytest.mark.parametrize("read", [read_yaml, read_json])


def refused(read: object, path: Path) -> list[str]:
    """Read a path that must be refused."""
    reporter = Reporter()
    assert callable(read)
    assert read(path, reporter) is None
    return [each.code for each in reporter.diagnostics]


@READERS
def test_a_missing_file_is_reported(read: object, tmp_path: Path) -> None:
    """A path that leads nowhere is an error like others."""
    assert refused(read, tmp_path / "none.yaml") == ["RP101"]
    assert refused(read, tmp_path / "nul\0byte.yaml") == ["RP101"]
    assert refused(read, tmp_path / ("x" * 5000)) == ["RP101"]


@READERS
def test_a_folder_is_refused(read: object, tmp_path: Path) -> None:
    """A folder where a file is wanted is an error like others."""
    assert refused(read, tmp_path) == ["RP102"]


@READERS
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_pipes_and_devices_are_refused(read: object, tmp_path: Path) -> None:
    """Nothing is read that could wait or go on for ever."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")

    assert refused(read, tmp_path / "pipe") == ["RP102"]
    assert refused(read, tmp_path / "link") == ["RP102"]


def test_large_files_are_refused(tmp_path: Path) -> None:
    """A mebibyte is enough for any rulebook."""
    file = tmp_path / "a"
    file.write_bytes(b"#" * source.MAX_BYTES)
    assert read_yaml(file, Reporter()) is not None
    file.write_bytes(b"#" * (source.MAX_BYTES + 1))

    assert refused(read_yaml, file) == ["RP103"]


# --- JSON -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["RP115 1:1"]),
        ('{"a": 1,\n "b" 2}', ["RP115 2:6"]),
        ('{"a": 1,\n "a": 2}', ["RP110 1:2"]),
        ("[NaN]", ["RP115 1:2"]),
        ("[1, -Infinity]", ["RP115 1:5"]),
        ("[1e999]", ["RP114 1:2"]),
        ("[1000000000000000000]", ["RP114 1:2"]),
        ("[" + "1" * 10_000 + "]", ["RP114 1:2"]),
        ("[" * 65 + "]" * 65, ["RP107 1:65"]),
        ("[" * 1_000_000, ["RP107 1:65"]),
        ('{"a":' * 200_000, ["RP107 1:321"]),
        ('["\\u0000"]', ["RP105 1:1"]),
        ('{"\\ud800": 1}', ["RP105 1:1"]),
        ('["\x1b"]', ["RP105 1:3"]),
        ('"' + '\\"' * 500_000, ["RP115 1:1"]),
        (b"[\xff]", ["RP104 1:2"]),
    ],
    ids=range(16),
)
def test_bad_json_is_reported(reader: Reader, text: str | bytes, codes: list[str]) -> None:
    """JSON is read with the same care as YAML."""
    assert reader.json(text) is None
    assert reader.codes == codes


def test_good_json_is_read(reader: Reader) -> None:
    """All kinds of values come through."""
    text = '{"a": [1, -2.5, true, null, "\u00e9"]}'

    assert reader.json(text) == {"a": [1, -2.5, True, None, "é"]}
    assert reader.reporter.diagnostics == ()


def test_brackets_in_texts_are_no_depth(reader: Reader) -> None:
    """What stands between quotes is not counted."""
    text = '["' + "[" * 100 + '\\"{"]'

    assert reader.json(text) == ["[" * 100 + '"{']


def test_the_size_of_json_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes and values have limits of their own."""
    file = tmp_path / "a"
    file.write_text("[" + "1," * 100 + "1]")
    with monkeypatch.context() as limits:
        limits.setattr(json_file, "MAX_JSON_BYTES", 100)
        assert refused(read_json, file) == ["RP103"]
    monkeypatch.setattr(json_file, "MAX_JSON_NODES", 50)

    assert refused(read_json, file) == ["RP108"]


# --- fuzzing --------------------------------------------------------------------------------------

YAML_WORDS = st.lists(
    st.sampled_from(
        [
            *"abc[]{}:,-?|>&*!#%@`'\"~\n\t\r\\ ",
            *("\n  ", "\n    ", ": ", "- ", "--- ", "\n---\n", "...\n", "? ", "|2-\n", ">+\n"),
            *("<<: ", "&a ", "*a", "!!str ", "!!int ", "!x ", "%YAML 1.2\n", "%TAG ! x\n"),
            *("true", "null", "1e5", "0x1", "99999999999999999999", "''", '"\\', "\\u0000"),
            *("\ufeff", "\x85", "\u2028", "漢", "é", "\x00", "\U0001f600"),
        ]
    ),
    max_size=60,
).map("".join)


def check_sound(node: SpecNode | None, reporter: Reporter, text: str) -> None:
    """Check what must be true of any outcome: it is known why, and all places exist."""
    lines = split_lines(text.removeprefix("\ufeff"))
    assert node is not None or reporter.failed
    places = [each.place for each in reporter.diagnostics]
    for each in nodes(node) if node else ():
        places += [each.place, *each.keys.values()]
        if isinstance(each.value, str):
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", each.value)
            rows = each.value.split("\n")
            places += [
                each.text_place(row, column)
                for row in range(-1, len(rows) + 1)
                for column in (0, 1, 5)
            ]
    for place in places:
        assert 1 <= place.line <= len(lines)
        assert 1 <= place.column <= len(lines[place.line - 1]) + 1
        assert place.column <= place.end_column


@FUZZ
@given(YAML_WORDS)
def test_any_text_is_read_or_reported(reader: Reader, text: str) -> None:
    """Text that is almost YAML never raises, and all places lie inside the file."""
    node = reader.yaml(text)

    check_sound(node, reader.reporter, text)
    assert node is None or to_plain(node) == to_plain(node_at(node, []))


@FUZZ
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_reported(reader: Reader, data: bytes) -> None:
    """Bytes of any kind never raise."""
    node = reader.yaml(data)
    check_sound(node, reader.reporter, data.decode("utf-8", "replace"))
    read = reader.json(data)

    assert read is not None or reader.reporter.failed or data.strip() == b"null"


@FUZZ
@given(st.lists(st.text("ab c'", min_size=1, max_size=8), min_size=1, max_size=5))
def test_literal_blocks_are_exact(reader: Reader, lines: list[str]) -> None:
    """Whatever stands in a literal block is found at its place, character by character."""
    body = "".join(f"    {line}\n" for line in lines)
    text = f"a:\n  b: |2\n{body}c: 1\n"
    node = entry(entry(reader.good(text), "a"), "b")

    assert in_step(node, split_lines(text)) == []
