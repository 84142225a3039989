"""Where results lie: held against all values of small spans, for every operator of the core."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.model.machine.intervals import Span, binary, hull, total
from ruleproof.model.machine.operators import apply

SPANS = st.tuples(st.integers(-7, 7), st.integers(0, 6)).map(lambda one: (one[0], sum(one)))
TIGHT = ("+", "-", "*", "//", "min", "max")
TRUTHS = ("==", "!=", "<", "<=", ">", ">=", "and", "or")


def values(span: Span) -> range:
    """List the values of a span."""
    return range(span[0], span[1] + 1)


@pytest.mark.parametrize("op", [*TIGHT, "%", *TRUTHS])
@given(SPANS, SPANS)
def test_every_result_lies_where_it_is_said_to(op: str, left: Span, right: Span) -> None:
    """And for sums, differences, products and quotients no less wide span holds them all."""
    found = [apply(op, a, b) for a, b in product(values(left), values(right))]  # type: ignore[arg-type]
    low, high = binary(op, left, right)

    assert low <= min(found)
    assert max(found) <= high
    if op in TIGHT:
        assert (low, high) == (min(found), max(found))


@given(SPANS, st.integers(0, 3))
def test_a_sum_of_some_lies_where_it_is_said_to(each: Span, most: int) -> None:
    """Of so many summands, or fewer."""
    sums = [sum(some) for size in range(most + 1) for some in product(each, repeat=size)]

    assert total(each, most) == (min(sums), max(sums))
    assert hull([each, (0, 0)]) == total(each, 1)
