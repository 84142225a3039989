"""Questions on other machines: the workers of a scheduler of Dask distributed.

What a question needs travels with it, pickled; no file of this machine is read there.  A scheduler,
and whoever can reach it, is trusted: it runs what it is sent, and so do its workers.

Where a worker dies, Dask asks another one.  A question that stays without an answer, because it
ended all workers that it was given to or because the scheduler has gone, is for the caller to ask.
"""

from __future__ import annotations

import asyncio
import logging
import operator
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from queue import Empty, SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from ...model.source.errors import UsageError, first_line, quote
from .answers import installed

if TYPE_CHECKING:
    from distributed import Client, Future

PATIENCE = 10
"""Seconds in which a scheduler has to answer, and in which it has to have a worker."""

R = TypeVar("R")

_ALONE = Lock()
"""Held while a question is asked: a worker may have several threads; what is kept has one."""


class ClusterError(UsageError):
    """There is no cluster to work with; the text says why."""


class Cluster:
    """The workers of a scheduler, all with the same code as this process."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.unanswered = 0
        """Questions that were given back."""
        self.why = ""
        """What came instead of the last answer that did not come."""

    def answers(
        self, answer: Callable[[int], R], numbers: Sequence[int]
    ) -> Iterator[tuple[int, R]]:
        """Yield the answers to questions as they come, with their numbers; some may be missing.

        What is not begun when nobody asks for more is called off.
        """
        import cloudpickle  # type: ignore[import-untyped]  # noqa: PLC0415  (with Dask, an extra)

        client = self._client
        # The scheduler unpickles functions, and need not have ours.
        work = client.submit(pickle.loads, pickle.dumps(partial(_answered, installed())))
        packed = client.submit(bytes, cloudpickle.dumps(answer), pure=False)
        asked: dict[Future[Any], int] = {
            client.submit(operator.call, work, packed, number, pure=False): number
            for number in numbers}
        done: SimpleQueue[Future[Any]] = SimpleQueue()
        for future in asked:
            future.add_done_callback(done.put)
        try:
            while asked:
                try:
                    future = done.get(timeout=PATIENCE)
                except Empty:
                    if client.nthreads():
                        continue
                    raise ClusterError("no worker is left") from None
                number = asked.pop(future)
                try:
                    found = future.result()
                except Exception as error:  # noqa: BLE001  (whatever it is, it is no answer)
                    self.unanswered, self.why = self.unanswered + 1, first_line(error)
                else:
                    yield number, found
        except (ClusterError, OSError) as error:
            self.unanswered, self.why = self.unanswered + len(asked), str(error)
        finally:
            with suppress(Exception):
                client.cancel([*asked, packed, work])


def in_order(
    cluster: Cluster | None, answer: Callable[[int], R], numbers: Sequence[int]
) -> Iterator[R]:
    """Yield the answers to questions in their order; without a cluster, each is given here.

    What a cluster leaves unanswered is, too.
    """
    early: dict[int, R] = {}
    there = iter(()) if cluster is None else cluster.answers(answer, numbers)
    for number in numbers:
        while number not in early and (found := next(there, None)) is not None:
            early[found[0]] = found[1]
        yield early.pop(number) if number in early else answer(number)


@contextmanager
def cluster_at(address: str | None) -> Iterator[Cluster | None]:
    """Connect to the scheduler at an address, HOST:PORT or what Dask takes beside; None: nowhere.

    Raises:
        ClusterError: if Dask is not installed; if nobody answers, or without workers; if what a
            worker has installed would give other answers.

    """
    if address is None:
        yield None
        return
    try:
        import dask.config  # noqa: PLC0415  (an extra)
        from distributed import Client  # noqa: PLC0415  (same)
    except ImportError as error:
        raise ClusterError("`--cluster` needs Dask, which is not installed: "
                           "pip install 'ruleproof[cluster]'") from error
    logging.getLogger("distributed").handlers[:] = [logging.NullHandler()]  # we tell what matters
    try:
        asyncio.run(asyncio.wait_for(_identity(address), PATIENCE))
    except Exception as error:  # whatever it is that listens there
        raise ClusterError(
            f"no scheduler of Dask answers at {quote(address)} within {PATIENCE} seconds"
            f"{f' ({first_line(error)})' if str(error) else ''}; `dask scheduler` starts one, "
            f"and its address is of the form HOST:PORT") from error
    # Of what is sent, and how large it is, Dask would warn.
    with (dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}),
          Client(address, timeout=PATIENCE, set_as_default=False) as client):
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise ClusterError(f"the scheduler at {quote(address)} has no workers; "
                               f"`dask worker {address}` starts one") from error
        _insist_on_the_same(client)
        yield Cluster(client)


async def _identity(address: str) -> object:
    """Return what a scheduler says of itself; the client, asked first, would not let go of it."""
    from distributed import Security, rpc  # noqa: PLC0415  (an extra)

    async with rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
        return await scheduler.identity()


def _insist_on_the_same(client: Client) -> None:
    """Raise unless all workers have installed what this process has."""
    try:
        found = client.sync(client._run, installed, on_error="return",  # noqa: SLF001  (`run` waits)
                            callback_timeout=PATIENCE)
    except TimeoutError as error:
        raise ClusterError(f"a worker does not answer within {PATIENCE} seconds") from error
    for worker, theirs in sorted(found.items()):
        if not isinstance(theirs, dict):
            raise ClusterError(f"the worker {worker} cannot run this version of ruleproof: "
                               f"{first_line(theirs)}; install {_told(installed())} there")
        if theirs != installed():
            raise ClusterError(f"the worker {worker} has {_told(theirs)}, and this machine has "
                               f"{_told(installed())}: they could give other answers")


def _told(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in versions.items())


# ------------------------------------------------------------------------------ in a worker


def _answered(versions: dict[str, str], packed: bytes, number: int) -> object:
    """Answer a question in a worker, which may have come since the others were looked at."""
    if versions != installed():
        raise ClusterError(f"a worker has {_told(installed())}")
    with _ALONE:
        return _unpacked(packed)(number)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Callable[[int], object]:
    """Unpickle what answers questions; once for all that a worker is given of them."""
    made: Callable[[int], object] = pickle.loads(packed)  # noqa: S301  (see above: it is trusted)
    return made
