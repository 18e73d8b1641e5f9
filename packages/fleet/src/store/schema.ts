/** Migrations, forward only: each runs once, in this order. Never edit one that has shipped. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE machines (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, key_hash TEXT NOT NULL UNIQUE,
    enrolled_at TEXT NOT NULL, seen_at TEXT, engine TEXT
  );
  CREATE TABLE tokens (hash TEXT PRIMARY KEY, expires_at TEXT NOT NULL, used_at TEXT);
  CREATE TABLE heads (
    machine TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, head TEXT NOT NULL,
    PRIMARY KEY (machine, epoch)
  );
  CREATE TABLE events (
    machine TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, day TEXT NOT NULL,
    event TEXT, tool TEXT, session TEXT, project TEXT, client TEXT, person TEXT, outcome TEXT, ms REAL,
    facts TEXT NOT NULL, body BLOB,
    PRIMARY KEY (machine, epoch, seq)
  ) WITHOUT ROWID;
  CREATE INDEX events_by_time ON events (at);
  CREATE INDEX events_by_session ON events (session, at);
  CREATE INDEX events_by_day ON events (day);
  CREATE TABLE hourly (
    hour TEXT NOT NULL, machine TEXT NOT NULL, key TEXT NOT NULL, event TEXT NOT NULL, bucket INTEGER NOT NULL,
    runs INTEGER NOT NULL, refusals INTEGER NOT NULL, failures INTEGER NOT NULL,
    PRIMARY KEY (hour, machine, key, event, bucket)
  ) WITHOUT ROWID;
  CREATE TABLE gaps (
    machine TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, count INTEGER NOT NULL,
    because TEXT NOT NULL, seen_at TEXT NOT NULL,
    PRIMARY KEY (machine, epoch, seq)
  ) WITHOUT ROWID;
  `,
]
