"""The turn machine as a graph: what it holds, what is left out, and that its exports parse."""

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.machine import Machine
from ruleproof.model.views.draw import FORMATS, as_dot, as_graphml, as_json, as_mermaid, export
from ruleproof.model.views.graph import Graph, edges_of, graph_of, part_of
from ruleproof.model.views.wording import names_of, titles_of
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.games import compiled
from ruleproof.tests.support.little import write
from ruleproof.tests.support.machines import Builder, all_machines, draws, load, op
from ruleproof.tests.support.places import ROOT

TEMPLATE = str(ROOT / "spec" / "template")
SHELF = all_machines()
GAMES = (*bundled(), TEMPLATE)
DOT_STRING = r'"(?:[^"\\\n]|\\.)*"'
DOT_LINE = re.compile(
    rf"digraph {DOT_STRING} {{|\s*(?:rankdir=TB;|subgraph cluster_\d+ {{|}}|label={DOT_STRING};|"
    rf"(?:node|edge|n\d+|n\d+ -> n\d+) \[(?:\w+={DOT_STRING}(?:, )?)*\];)"
)
MERMAID_LABEL = r'"[^"<>\n`]*(?:<br>[^"<>\n`]*)*"'
MERMAID_LINE = re.compile(
    rf"flowchart TD|\s*(?:subgraph s\d+\[{MERMAID_LABEL}\]|end|classDef \w+ [\w:#,]+|"
    rf"n\d+ (?:-->|-\.->)(?:\|{MERMAID_LABEL}\|)? n\d+|"
    rf"n\d+[\[({{]+{MERMAID_LABEL}[\])}}]+:::\w+)"
)


DRAWN = {**{Path(name).name: (name, True) for name in (*SHELF, "nasty")},
         **{Path(name).name: (name, False) for name in GAMES},
         **{f"{Path(name).name} in full": (name, True) for name in GAMES}}
"""The graphs that are drawn, by what they show, with whether in full."""


@cache
def made(name: str, *, full: bool) -> Graph:
    """Return the graph of a machine, made once."""
    return graph_of(machine_of(name), full=full)


def drawn_of(name: str) -> Graph:
    """Return one of the graphs that are drawn."""
    source, full = DRAWN[name]
    return made(source, full=full)


def machine_of(name: str) -> Machine:
    """Return a machine of the shelf, the nasty one, or that of a game."""
    return nasty() if name == "nasty" else SHELF[name] if name in SHELF else compiled(name).machine


@pytest.mark.parametrize("name", SHELF)
def test_the_full_graph_holds_everything(name: str) -> None:
    """Each node and each edge of the machine is there, under its number."""
    machine = SHELF[name]
    graph = graph_of(machine, full=True)

    assert sorted(graph) == sorted(node.id for node in machine.nodes)
    assert sorted(key for _, _, key in graph.edges(keys=True)) == sorted(
        edge.id for node in machine.nodes for edge in node.edges
    )


@pytest.mark.parametrize("name", one_in(5, GAMES))
def test_collapsing_keeps_what_players_see(name: str) -> None:
    """Every rest stays, every clause of a reachable edge stays, and hardly anything else does."""
    machine = machine_of(name)
    full, small = made(name, full=True), made(name, full=False)
    rests = {node.id for node in machine.nodes if node.kind != "rules"}

    assert rests <= set(small)
    assert len(small) < len(full)
    for each in (full, small):
        reached = set(nx.bfs_tree(each, machine.start))
        assert reached == set(each)
    clauses = [
        {clause for *_, about in each.edges(data=True) for clause in about["clauses"]}
        for each in (full, small)
    ]
    assert clauses[0] == clauses[1]


@pytest.mark.parametrize("name", GAMES)
def test_collapsing_follows_no_way_that_the_machine_does_not_have(name: str) -> None:
    """A kept node leads to another only if the machine has a way there."""
    small, full = made(name, full=False), made(name, full=True)
    for source in [*small][::6]:
        assert {*small.successors(source)} <= {source, *nx.descendants(full, source)}


def test_ways_of_the_same_name_become_one() -> None:
    """Two moves of one name to one place are one edge, with the clauses of both."""
    game = Builder("twins")
    game.array("n", high=1)
    game.node("turn", "decide", by=load("n"))
    game.node("over", "final")
    for value in (0, 1):
        game.edge(
            "turn", "over", when=[op("==", load("n"), value)], label="go", clauses=[f"c{value}"]
        )
    (edge,) = graph_of(game.machine()).edges(data=True)

    assert edge[2]["clauses"] == ("turn.0.0", "c0", "turn.1.0", "c1")
    assert edge[2]["conditions"] == ()


def test_a_step_that_is_run_twice_returns_where_it_came_from() -> None:
    """The exit of a shared step does not connect one caller with what follows the other one."""
    small = made(TEMPLATE, full=False)
    name = {node: about["name"] for node, about in small.nodes(data=True)}
    setup = next(node for node in small if name[node] == "setup/starter")

    assert {name[node] for node in small.successors(setup)} == {"turn"}


def nasty() -> Machine:
    """Return a machine whose names try to break out of every format."""
    machine = draws()
    evil = '"]; end\n<script>|`x`| \\ %% \x1b[31m é ü #35; & ]]> --> "'
    nodes = tuple(
        replace(
            node, name=f"{evil} {node.id}", step=evil, clauses=(evil,),
            edges=tuple(replace(edge, label=evil, clauses=(evil,)) for edge in node.edges),
        )
        for node in machine.nodes
    )  # fmt: skip
    return replace(machine, nodes=nodes, game=evil)


@pytest.mark.parametrize("name", one_in(5, DRAWN))
def test_graphml_parses(name: str) -> None:
    """A GraphML reader finds the same nodes and edges."""
    graph = drawn_of(name)
    read = nx.parse_graphml(as_graphml(graph), force_multigraph=True)

    assert len(read) == len(graph)
    assert read.number_of_edges() == graph.number_of_edges()


@pytest.mark.parametrize("name", DRAWN)
def test_json_parses(name: str) -> None:
    """The JSON document holds every node and edge, and edges only between nodes that it holds."""
    graph = drawn_of(name)
    doc = json.loads(as_json(graph))
    ids = {node["id"] for node in doc["nodes"]}

    assert doc["format"] == "ruleproof/graph-1"
    assert len(ids) == len(graph)
    assert len(doc["edges"]) == graph.number_of_edges()
    assert {end for edge in doc["edges"] for end in (edge["source"], edge["target"])} <= ids


@pytest.mark.parametrize("clauses", [False, True])
@pytest.mark.parametrize("name", DRAWN)
def test_drawings_have_no_line_that_is_not_of_their_grammar(name: str, clauses: bool) -> None:  # noqa: FBT001
    """No label breaks out of its quotes, in Graphviz's language or in Mermaid's."""
    graph = drawn_of(name)
    for text, grammar in (
        (as_dot(graph, clauses=clauses), DOT_LINE),
        (as_mermaid(graph, clauses=clauses), MERMAID_LINE),
    ):
        wrong = [line for line in text.splitlines() if not grammar.fullmatch(line)]
        assert wrong == []
        if grammar is DOT_LINE:
            assert sum(" -> " in line for line in text.splitlines()) >= graph.number_of_edges()


@pytest.mark.parametrize("form", FORMATS)
def test_exports_are_the_same_in_every_run(form: str) -> None:
    """The same game gives the same bytes."""
    first, second = (
        export(graph_of(machine_of(TEMPLATE)), form)  # type: ignore[arg-type]
        for _ in range(2)
    )

    assert first == second


def test_a_part_holds_a_step_and_what_it_leads_to() -> None:
    """Of the steps that a part leads to only the nearest nodes are there, without their edges."""
    whole = made(TEMPLATE, full=False)
    part = part_of(whole, ["laying"])

    assert {about["step"] for _, about in part.nodes(data=True)} > {"laying"}
    assert {whole.nodes[source]["step"] for source, _ in part.edges()} == {"laying"}
    assert all(edges_of(part, node) for node in part if whole.nodes[node]["step"] == "laying")


NAMED = """game: named
players: {count: 2}
families: {coin: {}}
cards:
  coin:
    penny: {copies: 4, abilities: {ask: "foe = choose(others(active), by=active)\\nd = choose(purse, by=foe)"}}
zones:
  purse: {holds: coin, kind: bag, starts: all}
  hand: {holds: coin, kind: bag, per: player}
state: {active: {type: player, start: 1}}
steps: {game: {}, big_turn: {title: A turn}}
windows:
  laying_down: {by: active, repeat: true, done: stop}
  all_of_them: {who: players, each: once, done: pass, title: Everybody}
start: game
clauses:
- {id: a, kind: order, says: turns, on: game, do: "big_turn()\\nlaying_down()\\nall_of_them()"}
- id: b
  kind: effect
  says: all pick
  on: big_turn
  do: |
    for p in clockwise(active):
      c = choose(purse, by=p, ask="Which coin?")
      move(c, purse, hand[p])
- {id: d, kind: permit, says: lay, on: laying_down, option: lay, when: "size(purse) > 0", do: active = next_player(active)}
- {id: f, kind: permit, says: ask, on: laying_down, option: ask, with: {c: purse}, do: c.ask()}
- {id: e, kind: permit, says: lay, on: all_of_them, option: lay, when: "active == actor", do: pass}
"""  # noqa: E501


NESTED = """game: nested
players: {count: 2}
state: {n: {type: int 0..3}, deep: {type: int 0..1}, active: {type: player, start: 1}}
steps: {game: {}, turn: {depth: 2}}
start: game
clauses:
- {id: a, kind: order, says: a turn, on: game, do: turn()}
- id: b.more
  kind: effect
  says: a turn may have another one in it
  on: turn
  do: |
    k = n
    if deep == 0:
      if may(by=active):
        deep = 1
        turn()
    if k == 2:
      if may(by=active):
        n = k
"""


def test_a_name_of_a_body_is_told_alike_however_deep_it_is_nested(tmp_path: Path) -> None:
    """It is what the body calls it, and not a part of the id of its clause."""
    graph = graph_of(compile_game(load_game(str(write(tmp_path, NESTED)))).machine, full=True)
    told = {one["text"] for _, _, about in graph.edges(data=True) for one in about["conditions"]}

    assert {each for each in told if "2" in each} == {"b.more.k == 2", "not b.more.k == 2"}


@pytest.mark.parametrize("form", FORMATS)
def test_a_graph_is_told_in_words_of_the_game(form: str, tmp_path: Path) -> None:
    """A drawing has titles and questions; nothing has the place of a name in the files."""
    one = compile_game(load_game(str(write(tmp_path, NAMED))))
    whole = graph_of(one.machine, full=form in ("json", "graphml"), names=names_of(one.game),
                     titles=titles_of(one.game))
    told = export(whole, form)  # type: ignore[arg-type]

    assert not [word for word in told.split() if "@" in word or "#64;" in word]
    if form in ("mermaid", "dot"):
        assert all(each in told for each in (
            "Which coin?", "by p", "laying down", "Everybody: who is next", "by actor", "A turn",
            "by foe"))
        assert not re.search(r"laying_down|all_of_them| #\d+", re.sub(r'tooltip="[^"]*"', "", told))
