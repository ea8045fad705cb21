"""The event log in Redis Streams: several servers share it, and any of them can go on.

A reply is a stream of batches and a hash of what is known of it; every change that must not be
half made, or must be made by the owner alone, is a script.  Keys of a reply end in one hash tag, so
that Redis Cluster keeps them together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import fields
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from redis import asyncio as redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from msgfold.replies.log import (
    Batch,
    DuplicateReplyError,
    LogDownError,
    LostReplyError,
    Record,
    State,
)
from msgfold.replies.redis_news import RedisNews

_APPEND = """
local known = redis.call('HMGET', KEYS[1], 'owner', 'last')
if known[1] ~= ARGV[1] or known[2] ~= ARGV[2] then return 0 end
if ARGV[3] ~= ARGV[2] then
  redis.call('XADD', KEYS[2], ARGV[3] .. '-1', 'f', ARGV[2] + 1, 'i', ARGV[4], 'd', ARGV[5])
  redis.call('HSET', KEYS[1], 'last', ARGV[3], 'last_event_id', ARGV[4])
  redis.call('HINCRBY', KEYS[1], 'size', #ARGV[5])
end
redis.call('HSET', KEYS[1], 'state', ARGV[6])
if ARGV[8] == '1' then redis.call('HSET', KEYS[1], 'owner', '') end
redis.call('PUBLISH', ARGV[9], '')
if ARGV[7] ~= '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[7])
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
end
return 1
"""
_CLAIM = """
local known = redis.call('HMGET', KEYS[1], 'owner', 'last')
if known[2] ~= ARGV[2] then return 0 end
local free = known[1] == ARGV[1] or known[1] == '' or ARGV[3] == known[1]
if not free then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[1])
redis.call('PUBLISH', ARGV[4], '')
return 1
"""
_CREATE = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""

_CONNECTIONS = 32
"""To Redis, and one more, for what is heard of other servers."""

_KNOWN = [field.name for field in fields(Record) if field.name != "messages"]
_TEXT = set(_KNOWN) - {"state", "last", "size"}


_P = ParamSpec("_P")
_R = TypeVar("_R")


def _asked(method: Callable[_P, Awaitable[_R]]) -> Callable[_P, Coroutine[Any, Any, _R]]:
    """A Redis that is started again, or another one that takes its place, is away for a while."""

    @wraps(method)
    async def ask(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        task = asyncio.current_task()
        before = task.cancelling() if task is not None else 0
        try:
            found = await method(*args, **kwargs)
            if task is not None and task.cancelling() > before:
                raise asyncio.CancelledError  # it was swallowed below, which happens under load
            return found
        except (RedisConnectionError, RedisTimeoutError, OSError) as error:
            raise LogDownError(f"Redis does not answer: {error}") from error

    return ask


class RedisLog:
    """An event log in Redis 6 or newer.  See :class:`msgfold.replies.log.EventLog`.

    Args:
        url: where Redis is, as in ``redis://localhost:6379/0`` or ``rediss://...`` for TLS.
        retention: seconds that Redis keeps a reply after it has ended.
        prefix: what all keys begin with.
    """

    def __init__(self, url: str, *, retention: float = 3600.0, prefix: str = "msgfold") -> None:
        self._url = url
        self._retention = retention
        self._prefix = prefix

    async def open(self) -> None:
        """Connect."""
        # Who finds no connection free waits for one: there are more replies than connections.
        pool = redis.BlockingConnectionPool.from_url(
            self._url, max_connections=_CONNECTIONS, timeout=None
        )
        self._db = redis.Redis.from_pool(pool)
        self._append = self._db.register_script(_APPEND)
        self._claim = self._db.register_script(_CLAIM)
        self._create = self._db.register_script(_CREATE)
        try:
            await cast("Any", self._db.ping())
        except (RedisError, OSError) as error:
            await self._db.aclose()
            raise ConnectionError(f"no Redis answers at {self._shown}: {error}") from None
        self._news = RedisNews(self._db, self._channel)

    @property
    def _shown(self) -> str:
        """The URL without its password."""
        return self._url.rpartition("@")[2] if "@" in self._url else self._url

    async def close(self) -> None:
        """Disconnect."""
        await self._news.close()
        await self._db.aclose()

    @_asked
    async def create(self, record: Record) -> None:
        """Begin a reply."""
        known = {name: getattr(record, name) for name in (field.name for field in fields(Record))}
        known["state"] = int(record.state)
        flat = [part for pair in known.items() for part in pair]
        # First, so that no reply is there that its request does not lead to.  Kept as long as a
        # client may send its request again, which is while it waits.
        ways = [self._session(record.principal, record.session_id)]
        if record.request_id:
            ways.append(self._request(record.principal, record.request_id))
        for way in ways:
            await self._db.set(way, record.reply_id, px=self._kept + 3_600_000)
        if not await self._create(keys=[self._reply(record.reply_id)], args=flat):
            raise DuplicateReplyError(record.reply_id)

    @_asked
    async def append(self, reply_id: str, owner: str, batch: Batch, state: State) -> None:
        """Add events and set the state."""
        done = await self._append(
            keys=[self._reply(reply_id), self._events(reply_id)],
            args=[
                owner,
                batch.first - 1,
                batch.last,
                batch.last_event_id,
                batch.data,
                int(state),
                self._kept if state.over else "",
                int(state.waiting),
                self._channel + reply_id,
            ],
        )
        if not done:
            raise LostReplyError(reply_id)

    @_asked
    async def batches(self, reply_id: str, after: int, limit: int) -> list[Batch]:
        """What comes behind an event."""
        found: list[Batch] = []
        size = 0
        while size < limit:
            rows: Any = await self._db.xrange(
                self._events(reply_id),
                min=f"{(found[-1].last if found else after) + 1}-0",
                count=16,
            )
            for number, entry in rows:
                size += len(entry[b"d"])
                if found and size > limit:
                    return found
                last = int(number.partition(b"-")[0])
                found.append(Batch(int(entry[b"f"]), last, entry[b"d"], entry[b"i"].decode()))
            if len(rows) < 16:
                break
        return found

    @_asked
    async def find(self, reply_id: str) -> Record | None:
        """A reply that is kept."""
        known = await cast("Any", self._db.hmget(self._reply(reply_id), _KNOWN))
        named: dict[str, Any] = dict(zip(_KNOWN, known, strict=True))
        if named["reply_id"] is None:
            return None
        for name in _TEXT:
            named[name] = named[name].decode()
        return Record(
            **{
                **named,
                "messages": b"",
                "state": State(int(named["state"])),
                "last": int(named["last"]),
                "size": int(named["size"]),
            }
        )

    @_asked
    async def messages(self, reply_id: str) -> bytes:
        """What a reply was started with."""
        found: Any = await cast("Any", self._db.hget(self._reply(reply_id), "messages"))
        return found or b"[]"

    @_asked
    async def find_request(self, principal: str, request_id: str) -> Record | None:
        """The reply that a request started."""
        if not request_id:
            return None
        reply_id: Any = await self._db.get(self._request(principal, request_id))
        record = await self.find(reply_id.decode()) if reply_id else None
        # A reply that came to nothing, because its id was taken, has left its request behind.
        mine = record is not None and (record.principal, record.request_id)
        return record if mine == (principal, request_id) else None

    @_asked
    async def unfinished(self, principal: str, session_id: str) -> Record | None:
        """The reply of a session that is not over."""
        reply_id: Any = await self._db.get(self._session(principal, session_id))
        record = await self.find(reply_id.decode()) if reply_id else None
        mine = record is not None and (record.principal, record.session_id)
        found = mine == (principal, session_id) and record is not None and not record.state.over
        return record if found else None

    @_asked
    async def claim(self, reply_id: str, owner: str, last: int) -> bool:
        """Make a reply this server's."""
        record = await self.find(reply_id)
        if record is None:
            return False
        dead = "" if await self.lives(record.owner) else record.owner
        given: list[Any] = [owner, last, dead, self._channel + reply_id]
        return bool(await self._claim(keys=[self._reply(reply_id)], args=given))

    @_asked
    async def beat(self, owner: str, lease: float) -> list[str]:
        """Show that a server lives."""
        notes = f"{self._prefix}:cancel:{owner}"
        async with self._db.pipeline(transaction=True) as pipe:
            pipe.set(self._owner(owner), 1, px=max(1, int(lease * 1000)))
            pipe.smembers(notes)
            pipe.delete(notes)
            asked: Any = (await pipe.execute())[1]
        return [reply_id.decode() for reply_id in asked]

    @_asked
    async def lives(self, owner: str) -> bool:
        """Whether a server's lease still holds."""
        return bool(await self._db.exists(self._owner(owner)))

    @_asked
    async def release(self, owner: str) -> None:
        """End a server's lease."""
        await self._db.delete(self._owner(owner))

    @_asked
    async def ask_cancel(self, reply_id: str) -> None:
        """Leave a note for the owner."""
        record = await self.find(reply_id)
        if record is not None:
            notes = f"{self._prefix}:cancel:{record.owner}"
            await cast("Any", self._db.sadd(notes, reply_id))
            await self._db.pexpire(notes, self._kept)

    @_asked
    async def changed(self, record: Record, timeout: float) -> None:
        """Wait for another server."""

        async def still() -> bool:
            found = await self.find(record.reply_id)
            return found is not None and found.stands == record.stands

        await self._news.wait(record.reply_id, still, timeout)

    async def trim(self, retention: float) -> int:
        """Redis forgets by itself."""
        return 0

    @property
    def _channel(self) -> str:
        return f"{self._prefix}:news:"

    @property
    def _kept(self) -> int:
        """Milliseconds that a reply is kept after its end."""
        return max(1, int(self._retention * 1000))

    def _reply(self, reply_id: str) -> str:
        return f"{self._prefix}:reply:{{{reply_id}}}"

    def _events(self, reply_id: str) -> str:
        return f"{self._prefix}:events:{{{reply_id}}}"

    def _request(self, principal: str, request_id: str) -> str:
        return f"{self._prefix}:request:{len(principal)}:{principal}:{request_id}"

    def _session(self, principal: str, session_id: str) -> str:
        return f"{self._prefix}:session:{len(principal)}:{principal}:{session_id}"

    def _owner(self, owner: str) -> str:
        return f"{self._prefix}:owner:{owner}"
