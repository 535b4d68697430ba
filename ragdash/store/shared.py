"""How do twenty sessions share one copy? What was loaded is held by key while anybody uses it, and a while longer."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")
Key = tuple[Any, ...]


class Shared:
    """Objects by key. The `most` used last are held; others stay for as long as somebody else holds them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: OrderedDict[Key, Any] = OrderedDict()
        self._alive: WeakValueDictionary[Key, Any] = WeakValueDictionary()
        self._making: dict[Key, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Key, make: Callable[[], T]) -> T:
        """The object of `key`; made once, also where several threads ask at the same time."""
        with self._lock:
            if (found := self._find(key)) is not None:
                return found  # type: ignore[no-any-return]
            mine = self._making.setdefault(key, threading.Lock())
        with mine:
            with self._lock:
                found = self._find(key)
            try:
                found = make() if found is None else found
            finally:
                with self._lock:
                    self._making.pop(key, None)
            with self._lock:
                self._alive[key] = found
                self._find(key)
        return found

    def _find(self, key: Key) -> Any:
        """The object of `key`, from now on the one used last."""
        found = self._alive.get(key)
        if found is not None:
            self._held[key] = found
            self._held.move_to_end(key)
            while len(self._held) > self.most:
                self._held.popitem(last=False)
        return found

    def drop(self, first: str) -> None:
        """Let go of the objects whose key begins with `first`."""
        with self._lock:
            for key in [one for one in list(self._alive) if one[0] == first]:
                self._held.pop(key, None)
                self._alive.pop(key, None)
