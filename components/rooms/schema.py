"""The three tables, and the engine for the database that has them."""

import os
import sqlite3
from typing import Any

from sqlalchemy import (
    Column,
    Double,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    make_url,
)

from components.base.cache_folder import cache_folder

URL_VARIABLE = "EMBEDDING_LAB_ROOMS_URL"
FILE = "rooms.sqlite3"
BUSY_SECONDS = 5
CONNECT_SECONDS = 3

metadata = MetaData()
rooms = Table(
    "lab_rooms",
    metadata,
    Column("code", String(4), primary_key=True),
    Column("host", String(64), nullable=False, index=True),  # the hash of the host's secret
    Column("second_host", String(64), nullable=False, default=""),  # of the secret of a second machine
    Column("invitation", String(64), nullable=False, default=""),  # the hash of the link for a second machine
    Column("lesson", String(40), nullable=False),
    Column("link", Text, nullable=False),
    Column("phase", String(10), nullable=False),
    Column("question", Integer, nullable=False, default=0),
    Column("round", Integer, nullable=False, default=1),
    Column("step", Integer, nullable=False, default=0),
    Column("joined", Integer, nullable=False, default=0),
    Column("answered", Integer, nullable=False, default=0),
    Column("stepped", Double, nullable=False, index=True),
    Column("teacher_seen", Double, nullable=False),
)
questions = Table(
    "lab_questions",
    metadata,
    Column("code", ForeignKey("lab_rooms.code", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("lesson", String(40), nullable=False),
    Column("name", String(40), nullable=False),
    Column("link", Text, nullable=False),
    Column("options", Integer, nullable=False),
)
votes = Table(  # a voter has joined by a vote for question 0
    "lab_votes",
    metadata,
    Column("code", ForeignKey("lab_rooms.code", ondelete="CASCADE"), primary_key=True),
    Column("question", Integer, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("voter", String(32), primary_key=True),
    Column("option", Integer, nullable=False),
)


def database_url() -> str:
    """Return the URL of the database: the value of EMBEDDING_LAB_ROOMS_URL, else a file in the cache folder.

    Raises OSError if that folder cannot be made.
    """
    if named := os.environ.get(URL_VARIABLE, "").strip():
        return named
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / FILE}"


def make_engine(url: str) -> Engine:
    """Return the engine for a URL; errors that it raises do not contain the values of a statement."""
    if make_url(url).get_backend_name() != "sqlite":
        arguments = {"connect_timeout": CONNECT_SECONDS}
        return create_engine(url, connect_args=arguments, pool_pre_ping=True, hide_parameters=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _configure_sqlite(connection: sqlite3.Connection, record: Any) -> None:
    """Let readers and one writer of several processes use the file at once."""
    connection.isolation_level = None  # transactions begin below
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Any) -> None:
    """Begin a transaction as the one writer: one that became a writer later could find the file changed."""
    if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
