"""Reads the texts of rules.

Expressions and bodies use a small part of Python's syntax, so Python's own parser reads them; what
it returns is at once turned into the language's own tree, which knows only what the language has.
Nothing is ever evaluated or compiled by Python.  Text from a stranger is bounded in length and
nesting before the parser sees it.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Mapping
from keyword import iskeyword
from operator import itemgetter

from ..source.errors import Place, Reporter, quote
from . import syntax as sx

MAX_TEXT = 20_000
MAX_NESTING = 40
MAX_INTEGER = 10**9

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitOr: "|", ast.BitAnd: "&",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in",
}


_NO_OPERATOR: dict[type[ast.AST], tuple[str, str]] = {
    ast.Div: ("`/`", "`//` divides and rounds down"),
    ast.Pow: ("`**`", "multiply with `*`"),
    ast.UAdd: ("sign `+`", "leave it out"),
    ast.Invert: ("`~`", "write `not`, or `players - SET`"),
    ast.BitXor: ("`^`", "sets of players have `|`, `&` and `-`"),
}
_NO_EXPRESSION: dict[type[ast.expr], tuple[str, str]] = {
    ast.NamedExpr: ("`:=`", "to compare, write `==`; a name gets a value on a line of its own"),
    ast.Constant: ("numbers with a fraction, nor other values of this kind", "numbers are whole"),
    ast.List: ("lists", "a set of players is written `{p, q}`, the empty one `{}`"),
    ast.Tuple: ("lists", "a set of players is written `{p, q}`, the empty one `{}`"),
    ast.Dict: ("tables", "`{p, q}` is a set of players"),
    ast.ListComp: ("lists", "write `x for x in DOMAIN if …` without the square brackets"),
}
_NO_SIGN = {
    "&&": "write `and`", "||": "write `or`", "=>": "write `>=`", "=<": "write `<=`",
    "<>": "write `!=`", "===": "write `==`", "!": "write `not`", "?": "write `a if test else b`",
}
"""What people try, and what they can write instead."""
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_UNENDED = re.compile(r"(?:[-+*/%=<>&|,]|\b(?:and|or|not|in|if|else))\s*$")
_ELSE_IF = re.compile(r"\s*(else +if|elseif|elsif)\b")
_WORDS = re.compile(r"(\w+) +(?=(\w+))")
_SEAT = re.compile(r"\b(?:(?!(?:and|or|not|in|is|if|else|for)\b)[^\W\d]\w* )+\d+\b")
"""A player by name, as `Player 2`: words and a number, of which none is an operator."""


class _Stop(Exception):  # noqa: N818 - caught below, where it becomes a report
    """A construct that the language does not have, or that comes to nothing."""

    def __init__(
        self, message: str, node: ast.AST | None, help_: str = "", code: str = "RP202"
    ) -> None:
        super().__init__(message)
        self.message, self.node, self.help, self.code = message, node, help_, code


def parse_expression(
    text: str, where: Callable[[int, int], Place], report: Reporter,
    seats: Mapping[str, str] | None = None,
) -> sx.Expr | None:
    """Parse one expression; None if an error (RP201, RP202, RP213) was reported.

    `where` maps (line from 0, column from 0) in the text to a place in the file.  Some words may be
    names of `seats`.
    """
    tree = _python_tree(text, where, report, "eval")
    try:
        return _Reader(where, seats).expr(tree.body) if isinstance(tree, ast.Expression) else None
    except _Stop as stop:
        _refuse(stop, where, report)
        return None


def parse_body(
    text: str, where: Callable[[int, int], Place], report: Reporter
) -> tuple[sx.Stmt, ...] | None:
    """Parse the statements of a body; as `parse_expression`."""
    tree = _python_tree(text, where, report, "exec")
    try:
        return _Reader(where).block(tree.body) if isinstance(tree, ast.Module) else None
    except _Stop as stop:
        _refuse(stop, where, report)
        return None


def _refuse(stop: _Stop, where: Callable[[int, int], Place], report: Reporter) -> None:
    line, col = getattr(stop.node, "lineno", 1), getattr(stop.node, "col_offset", 0)
    report.error(stop.code, stop.message, where(line - 1, col), help=stop.help)


def _some_number(call: ast.Call) -> None:
    """Refuse `at_least`, `at_most` and `exactly` if no number is all that they say."""
    given = [(word.value.value, str(word.arg), word.value) for word in call.keywords
             if isinstance(word.value, ast.Constant) and type(word.value.value) is int]
    least = max((each for each in given if each[1] in {"at_least", "exactly"}), default=None,
                key=itemgetter(0))
    most = min((each for each in given if each[1] in {"at_most", "exactly"}), default=None,
               key=itemgetter(0))
    if least and most and least[0] > most[0]:
        raise _Stop(
            f"no number is both: `{least[1]}={least[0]}` and `{most[1]}={most[0]}`", least[2],
            "`exactly` stands alone" if "exactly" in (least[1], most[1]) else
            "`at_least` is the smaller one", "RP213")


def parse_generator(
    text: str, where: Callable[[int, int], Place], report: Reporter
) -> sx.Expr | None:
    """Parse a parameter's domain: an expression, or a bare `c for c in zone if …`."""
    if " for " in text:
        shifted = lambda line, col: where(line, max(0, col - 1) if line == 0 else col)  # noqa: E731
        return parse_expression(f"({text})", shifted, report)
    return parse_expression(text, where, report)


def parse_expectation(
    text: str, where: Callable[[int, int], Place], report: Reporter
) -> sx.Expr | None:
    """Parse what a worked example expects, in which players may have names (`Player 2`).

    Such a name becomes one `Name` with a blank in it, which no other text can have.
    """
    seats: dict[str, str] = {}
    quoted = [each.span() for each in _QUOTED.finditer(text)]

    def as_word(found: re.Match[str]) -> str:
        if any(first <= found.start() < last for first, last in quoted):
            return found[0]
        word = found[0].replace(" ", "_")  # as long as it was, so that places stay
        seats[word] = found[0]
        return word

    return parse_expression(_SEAT.sub(as_word, text), where, report, seats)


def _python_tree(
    text: str, where: Callable[[int, int], Place], report: Reporter, mode: str
) -> ast.AST | None:
    if len(text) > MAX_TEXT:
        report.error("RP203", f"rule text of {len(text)} characters is too long", where(0, 0),
                     help=f"at most {MAX_TEXT} characters")
        return None
    deep = _nesting(text)
    if deep > MAX_NESTING:
        report.error("RP203", f"rule text is nested {deep} deep", where(0, 0),
                     help=f"at most {MAX_NESTING} levels")
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip("\n") if mode == "eval" else text, mode=mode)
    except SyntaxError as error:
        line, col = (error.lineno or 1) - 1, (error.offset or 1) - 1
        message, hint = _plain(error, mode)
        message = _ON_LINE.sub(
            lambda found: f" in line {where(int(found[1]) - 1, 0).line}", message)
        report.error("RP201", f"cannot read the rule text: {message}",
                     where(max(line, 0), max(col, 0)), help=hint)
    except (ValueError, MemoryError, RecursionError, UnicodeError):
        report.error("RP201", "cannot read the rule text", where(0, 0),
                     help="it is nested too deeply or holds characters that are not text")
    return None


_ON_LINE = re.compile(r" on line (\d+)")
"""How Python names a line of what it reads, which is not one of the file."""


def _plain(error: SyntaxError, mode: str) -> tuple[str, str]:
    """Return Python's complaint in words of the language, and what could be done."""
    text = (error.msg or "invalid syntax").split("\n")[0]
    line, at = (error.text or "").rstrip("\n"), max((error.offset or 1) - 1, 0)
    alone = line[at : at + 2].startswith("=") and line[at : at + 2] not in ("==", "=>", "=<")
    if "==" in text or (mode == "eval" and alone and line[at - 1 : at] not in tuple("=<>!")):
        return "`=` gives a value, and a condition is expected here", "to compare, write `==`"
    if (other := _ELSE_IF.match(line)) and at <= other.end() + 1:
        return f"the language has no `{other[1]}`", "write `elif`"
    for sign, instead in _NO_SIGN.items():
        if line.startswith(sign, at) or line.startswith(sign, max(at - len(sign) + 1, 0)):
            return f"the language has no `{sign}`", instead
    for pair in _WORDS.finditer(_QUOTED.sub(lambda each: "." * len(each[0]), line)):
        if (pair.start(1) <= max(at, (error.end_offset or 0) - 2) and at < pair.end(2)
                and not iskeyword(pair[1]) and not iskeyword(pair[2])):
            named = ("a player is named in the `expect` of examples alone, elsewhere by a variable"
                     if pair[2].isdecimal() else "a name has no blanks (`two_words`)")
            return (f"`{pair[1]}` and `{pair[2]}` stand side by side",
                    f"between two values stands an operator or a comma; {named}")
    if text == "invalid syntax" and (_UNENDED.search(line) or (line and not line[at:].strip())):
        return "the text ends too early", f"something is missing behind {quote(line.strip())}"
    return text[:1].lower() + text[1:].rstrip("."), (
        "a condition is like `a == b and not c`, a body has one statement in each line, like "
        "`x = 1` or `win(p)`; `spec/LANGUAGE.md` has them all")


def _nesting(text: str) -> int:
    """Return an upper bound of how deep the tree can get: brackets, operators in a row, indents."""
    depth = deepest = 0
    run = longest = 0
    for sign in text.replace("not ", "!"):
        if sign in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in ")]}":
            depth -= 1
        if sign in "!-~+":
            run += 1
            longest = max(longest, run)
        elif not sign.isspace():
            run = 0
    indent = max((len(line) - len(line.lstrip()) for line in text.split("\n")), default=0)
    dotted = max((word.count(".") for word in text.split()), default=0)
    chained = text.count("else") // 2 + text.count("**")
    return max(deepest, longest, indent // 2, min(dotted, 99), chained)


class _Reader:
    """Turns Python's tree into ours, or stops at what the language does not have."""

    def __init__(
        self, where: Callable[[int, int], Place], seats: Mapping[str, str] | None = None
    ) -> None:
        self._where = where
        self._seats = seats or {}

    def at(self, node: ast.AST) -> Place:
        return self._where(getattr(node, "lineno", 1) - 1, getattr(node, "col_offset", 0))

    # ---- statements

    def block(self, nodes: list[ast.stmt]) -> tuple[sx.Stmt, ...]:
        found: list[sx.Stmt] = []
        for node in nodes:
            found.extend(self.stmt(node))
        return tuple(found)

    def stmt(self, node: ast.stmt) -> tuple[sx.Stmt, ...]:
        at = self.at(node)
        match node:
            case ast.Pass():
                return ()
            case ast.Assign(targets=[target], value=value):
                return (sx.Assign(self.expr(target), "=", self.expr(value), at),)
            case ast.AugAssign(target=target, op=op, value=value):
                if not isinstance(op, (ast.Add, ast.Sub, ast.BitOr)):
                    raise _Stop("only `+=`, `-=` and `|=` change a value in place", node,
                                "write the whole of it: `x = x * 2`")
                symbol = _BINARY[type(op)]
                return (sx.Assign(self.expr(target), symbol, self.expr(value), at),)
            case ast.Expr(value=ast.Call() as call):
                made = self.expr(call)
                if not isinstance(made, sx.Call):
                    raise _Stop("a statement of this kind does nothing", node)
                return (sx.Do(made, at),)
            case ast.If(test=test, body=body, orelse=other):
                return (sx.IfThen(self.expr(test), self.block(body), self.block(other), at),)
            case ast.For(target=ast.Name(id=var), iter=domain, body=body, orelse=[]):
                return (sx.ForEach(var, self.expr(domain), self.block(body), at),)
            case ast.While(test=test, body=body, orelse=[]):
                return (sx.While(self.expr(test), self.block(body), at),)
            case ast.Expr(value=ast.IfExp()):
                raise _Stop("an expression alone does nothing", node,
                            "write `if …:` and `else:`, each on a line of its own, with what is "
                            "done below it")
            case ast.Expr(value=ast.Name(id=name)):
                raise _Stop("an expression alone does nothing", node,
                            f"a step or window is run by `{name}()`")
            case ast.Expr():
                raise _Stop("an expression alone does nothing", node,
                            "assign it, or call a statement such as `move(…)`")
            case _:
                kind = type(node).__name__.lower()
                raise _Stop(f"the language has no `{kind}` statement", node)

    # ---- expressions

    def expr(self, node: ast.expr) -> sx.Expr:  # long: a case for each form of expression
        at = self.at(node)
        match node:
            case ast.Constant(value=bool() as truth):
                return sx.Truth(truth, at)
            case ast.Constant(value=int() as number):
                if abs(number) > MAX_INTEGER:
                    raise _Stop("this number is too large", node, f"at most {MAX_INTEGER}")
                return sx.Num(number, at)
            case ast.Constant(value=None):
                return sx.Nothing(at)
            case ast.Constant(value=str() as text):
                return sx.Text(text, at)
            case ast.Name(id="none"):
                return sx.Nothing(at)
            case ast.Name(id=name):
                return sx.Name(self._seats.get(name, name), at)
            case ast.Attribute(value=value, attr=name):
                return sx.Attr(self.expr(value), name, at)
            case ast.Subscript(value=value, slice=index):
                if isinstance(index, (ast.Slice, ast.Tuple)):
                    raise _Stop("an index is one value", node)
                return sx.Index(self.expr(value), self.expr(index), at)
            case ast.Call(func=func, args=args, keywords=named):
                if not isinstance(func, (ast.Name, ast.Attribute)):
                    raise _Stop("only a name can be called", node)
                if any(word.arg is None for word in named) or any(
                    isinstance(arg, ast.Starred) for arg in args
                ):
                    raise _Stop("`*` and `**` are not part of the language", node)
                _some_number(node)
                pairs = tuple((str(word.arg), self.expr(word.value)) for word in named)
                return sx.Call(self.expr(func), tuple(self.expr(arg) for arg in args), pairs, at)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return sx.Prefix("not", self.expr(operand), at)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return sx.Prefix("-", self.expr(operand), at)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return sx.Infix(_BINARY[type(op)], self.expr(left), self.expr(right), at)
            case ast.BoolOp(op=op, values=values):
                word = "and" if isinstance(op, ast.And) else "or"
                made = self.expr(values[0])
                for value in values[1:]:
                    made = sx.Infix(word, made, self.expr(value), at)
                return made
            case ast.Compare(left=left, ops=ops, comparators=rights):
                return self._chain(node, left, ops, rights)
            case ast.IfExp(test=test, body=then, orelse=other):
                return sx.IfElse(self.expr(test), self.expr(then), self.expr(other), at)
            case ast.GeneratorExp(elt=element, generators=[one]):
                return self._generator(node, element, one)
            case ast.SetComp(elt=element, generators=[one]):
                return sx.SetOf((), self._generator(node, element, one), at)
            case ast.Set(elts=items):
                return sx.SetOf(tuple(self.expr(item) for item in items), None, at)
            case ast.Dict(keys=[]):
                return sx.SetOf((), None, at)
            case ast.BinOp(op=op) | ast.UnaryOp(op=op):
                what, instead = _NO_OPERATOR.get(type(op), ("this operator", ""))
                raise _Stop(f"the language has no {what}", node, instead)
            case _:
                what, instead = _NO_EXPRESSION.get(type(node), ("such expression", ""))
                raise _Stop(f"the language has no {what}", node, instead)

    def _chain(
        self, node: ast.Compare, left: ast.expr, ops: list[ast.cmpop], rights: list[ast.expr]
    ) -> sx.Expr:
        at = self.at(node)
        made: sx.Expr | None = None
        before = self.expr(left)
        for op, right in zip(ops, rights, strict=True):
            symbol = _COMPARE.get(type(op))
            if symbol is None:
                raise _Stop("`is` is not part of the language", node, "write `==`")
            after = self.expr(right)
            one = sx.Compare(symbol, before, after, at)
            made = one if made is None else sx.Infix("and", made, one, at)
            before = after
        assert made is not None
        return made

    def _generator(self, node: ast.expr, element: ast.expr, one: ast.comprehension) -> sx.Generator:
        if not isinstance(one.target, ast.Name):
            raise _Stop("`for` names one variable here", node)
        where = tuple(self.expr(test) for test in one.ifs)
        return sx.Generator(
            self.expr(element), one.target.id, self.expr(one.iter), where, self.at(node)
        )
