"""The event log in SQLite: one file, nothing to install, survives the server.

Writes of all replies go through one thread, and whatever has gathered while the last transaction
was under way goes into the next one together.  In WAL mode without a sync at every commit, a
transaction costs some tens of microseconds, and what it holds survives the death of the process
(of the machine, up to the last checkpoint).
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from msgfold.replies.log import Batch, DuplicateReplyError, LostReplyError, Record, State
from msgfold.replies.waiting import Waiting

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    reply_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    principal TEXT NOT NULL,
    request_id TEXT NOT NULL,
    messages BLOB NOT NULL,
    owner TEXT NOT NULL,
    state INTEGER NOT NULL,
    last INTEGER NOT NULL,
    last_event_id TEXT NOT NULL,
    size INTEGER NOT NULL,
    ended REAL,
    cancel INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS request ON replies (principal, request_id) WHERE request_id != '';
CREATE INDEX IF NOT EXISTS unfinished ON replies (principal, session_id) WHERE ended IS NULL;
CREATE TABLE IF NOT EXISTS batches (
    reply_id TEXT NOT NULL,
    last INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last_event_id TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (reply_id, last)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owners (owner TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;
"""

_FIELDS = "reply_id, session_id, principal, request_id, owner, state, last, last_event_id, size"

_POLL = 0.02
"""Seconds between looks at what another process may have written."""

_BUSY = 10.0
"""Seconds that a process waits for another one's transaction."""


class SqliteLog:
    """An event log in a file.  See :class:`msgfold.replies.log.EventLog`.

    Args:
        path: the file, or ``":memory:"``, which is gone with the server.

    Several servers on one machine may share the file.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = str(path)
        self._pending: list[tuple[Callable[[], Any], asyncio.Future[Any]]] = []
        self._writing = False
        self._waiting = Waiting()
        self._stands: dict[str, Any] = {}
        self._watch: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "msgfold-log")

    async def open(self) -> None:
        """Open the file, and make it when it is not there."""

        def connect() -> None:
            if self._path != ":memory:":
                Path(self._path).parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                self._path, timeout=_BUSY, isolation_level=None, check_same_thread=False
            )
            self._db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_SCHEMA)

        try:
            await self._in_thread(connect)
        except sqlite3.Error as error:
            raise OSError(f"{self._path}: no event log can be kept here: {error}") from None

    async def close(self) -> None:
        """Close the file."""
        if self._watch is not None:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch
        await self._in_thread(self._db.close)
        self._thread.shutdown()

    async def create(self, record: Record) -> None:
        """Begin a reply."""

        def insert() -> None:
            try:
                self._db.execute(
                    f"INSERT INTO replies ({_FIELDS}, messages) VALUES (?,?,?,?,?,?,?,?,?,?)",
                    (
                        record.reply_id,
                        record.session_id,
                        record.principal,
                        record.request_id,
                        record.owner,
                        int(record.state),
                        record.last,
                        record.last_event_id,
                        record.size,
                        record.messages,
                    ),
                )
            except sqlite3.IntegrityError:
                raise DuplicateReplyError(record.reply_id) from None

        await self._write(insert)

    async def append(self, reply_id: str, owner: str, batch: Batch, state: State) -> None:
        """Add events and set the state."""

        def insert() -> None:
            ended = time.time() if state.over else None
            done = self._db.execute(
                "UPDATE replies SET state = ?, last = ?, size = size + ?, ended = ?,"
                " last_event_id = CASE ? WHEN '' THEN last_event_id ELSE ? END,"
                " owner = CASE WHEN ? THEN '' ELSE owner END"
                " WHERE reply_id = ? AND owner = ? AND last = ?",
                (
                    int(state),
                    batch.last,
                    len(batch.data),
                    ended,
                    batch.last_event_id,
                    batch.last_event_id,
                    state.waiting,
                    reply_id,
                    owner,
                    batch.first - 1,
                ),
            )
            if done.rowcount != 1:
                raise LostReplyError(reply_id)
            if batch.last >= batch.first:
                self._db.execute(
                    "INSERT INTO batches VALUES (?,?,?,?,?)",
                    (reply_id, batch.last, batch.first, batch.last_event_id, batch.data),
                )

        await self._write(insert)
        self._waiting.wake(reply_id)

    async def batches(self, reply_id: str, after: int, limit: int) -> list[Batch]:
        """What comes behind an event."""

        def read() -> list[Batch]:
            rows = self._db.execute(
                "SELECT first, last, data, last_event_id FROM batches"
                " WHERE reply_id = ? AND last > ? ORDER BY last",
                (reply_id, after),
            )
            found: list[Batch] = []
            size = 0
            for row in rows:
                size += len(row[2])
                if found and size > limit:
                    break
                found.append(Batch(*row))
            rows.close()
            return found

        return await self._in_thread(read)

    async def find(self, reply_id: str) -> Record | None:
        """A reply that is kept."""
        return await self._in_thread(lambda: self._record("reply_id = ?", (reply_id,)))

    async def messages(self, reply_id: str) -> bytes:
        """What a reply was started with."""
        where = "SELECT messages FROM replies WHERE reply_id = ?"
        row = await self._in_thread(lambda: self._db.execute(where, (reply_id,)).fetchone())
        return bytes(row[0]) if row is not None else b"[]"

    async def find_request(self, principal: str, request_id: str) -> Record | None:
        """The reply that a request started."""
        where = "principal = ? AND request_id = ? AND request_id != ''"
        return await self._in_thread(lambda: self._record(where, (principal, request_id)))

    async def unfinished(self, principal: str, session_id: str) -> Record | None:
        """The reply of a session that is not over."""
        where = "principal = ? AND session_id = ? AND ended IS NULL"
        return await self._in_thread(lambda: self._record(where, (principal, session_id)))

    async def claim(self, reply_id: str, owner: str, last: int) -> bool:
        """Make a reply this server's."""

        def update() -> bool:
            done = self._db.execute(
                "UPDATE replies SET owner = ?, cancel = 0 WHERE reply_id = ? AND last = ?"
                " AND (owner IN (?, '')"
                "  OR owner NOT IN (SELECT owner FROM owners WHERE until > ?))",
                (owner, reply_id, last, owner, time.time()),
            )
            return done.rowcount == 1

        claimed = await self._write(update)
        self._waiting.wake(reply_id)
        return claimed

    async def beat(self, owner: str, lease: float) -> list[str]:
        """Show that a server lives."""

        def upsert() -> list[str]:
            now = time.time()
            self._db.execute("INSERT OR REPLACE INTO owners VALUES (?,?)", (owner, now + lease))
            self._db.execute("DELETE FROM owners WHERE until < ?", (now - 3600,))
            rows = self._db.execute(
                "UPDATE replies SET cancel = 0 WHERE owner = ? AND cancel = 1 RETURNING reply_id",
                (owner,),
            )
            return [row[0] for row in rows]

        return await self._write(upsert)

    async def lives(self, owner: str) -> bool:
        """Whether a server's lease still holds."""

        def read() -> bool:
            row = self._db.execute("SELECT until FROM owners WHERE owner = ?", (owner,)).fetchone()
            return row is not None and row[0] > time.time()

        return await self._in_thread(read)

    async def release(self, owner: str) -> None:
        """End a server's lease."""
        await self._write(lambda: self._db.execute("DELETE FROM owners WHERE owner = ?", (owner,)))

    async def ask_cancel(self, reply_id: str) -> None:
        """Leave a note for the owner."""
        await self._write(
            lambda: self._db.execute(
                "UPDATE replies SET cancel = 1 WHERE reply_id = ?", (reply_id,)
            )
        )

    async def changed(self, record: Record, timeout: float) -> None:
        """Wait for another process, or for this one."""
        with self._waiting.at(record.reply_id) as news:
            if self._watch is None or self._watch.done():
                self._watch = asyncio.create_task(self._watching())
            found = await self.find(record.reply_id)
            if found is not None and found.stands == record.stands:
                self._stands[record.reply_id] = found.stands
                with suppress(TimeoutError):
                    async with asyncio.timeout(timeout):
                        await news.wait()

    async def _watching(self) -> None:
        """See what other processes write, one look for all who wait."""
        version = -1

        def look() -> dict[str, Any]:
            # SQLite counts the changes that other connections have made.
            nonlocal version
            (now,) = self._db.execute("PRAGMA data_version").fetchone()
            if now == version:
                return {}
            version = now
            where = "SELECT last, state, owner FROM replies WHERE reply_id = ?"
            return {each: self._db.execute(where, (each,)).fetchone() for each in self._waiting}

        while self._waiting:
            self._stands = {k: known for k, known in self._stands.items() if k in self._waiting}
            for reply_id, stands in (await self._in_thread(look)).items():
                if self._stands.setdefault(reply_id, stands) != stands:
                    self._stands[reply_id] = stands
                    self._waiting.wake(reply_id)
            await asyncio.sleep(_POLL)

    async def trim(self, retention: float) -> int:
        """Forget what ended long ago, and give the space back."""

        def delete() -> int:
            gone = "(SELECT reply_id FROM replies WHERE ended < ?)"
            before = (time.time() - retention,)
            self._db.execute(f"DELETE FROM batches WHERE reply_id IN {gone}", before)
            return self._db.execute("DELETE FROM replies WHERE ended < ?", before).rowcount

        count = await self._write(delete)
        if count:
            await self._in_thread(lambda: self._db.execute("PRAGMA incremental_vacuum").fetchall())
        return count

    def _record(self, where: str, values: tuple[Any, ...]) -> Record | None:
        row = self._db.execute(f"SELECT {_FIELDS} FROM replies WHERE {where}", values).fetchone()
        if row is None:
            return None
        named = dict(zip(_FIELDS.split(", "), row, strict=True))
        return Record(**{**named, "messages": b"", "state": State(named["state"])})

    async def _in_thread(self, do: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do)

    async def _write(self, change: Callable[[], T]) -> T:
        """Make a change in the next transaction; cancelled, it is made all the same."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._pending.append((change, done))
        if not self._writing:
            self._writing = True
            self._loop_write()
        return await asyncio.shield(done)

    def _loop_write(self) -> None:
        changes, self._pending = self._pending, []
        group = self._in_thread(lambda: self._transaction([change for change, _ in changes]))

        async def write() -> None:
            try:
                results = await group
            except Exception as error:  # the disk is full, the file is locked: nothing was changed
                results = [error] * len(changes)
            for (_, done), result in zip(changes, results, strict=True):
                if isinstance(result, Exception):
                    done.set_exception(result)
                    done.exception()  # whoever waited may have been cancelled
                else:
                    done.set_result(result)
            if self._pending:
                self._loop_write()
            else:
                self._writing = False

        self._task = asyncio.create_task(write())

    def _transaction(self, changes: list[Callable[[], Any]]) -> list[Any]:
        """Each change's result or the exception that refused it; the others stand."""
        results: list[Any] = []
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for change in changes:
                try:
                    results.append(change())
                except (LostReplyError, DuplicateReplyError) as refused:
                    results.append(refused)
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        return results
