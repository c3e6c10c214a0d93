-- Threads and everything that belongs to them. Moments are text in UTC of fixed width
-- (2026-01-31T12:00:00.000000Z), so that their order as text is their order in time.
-- Plain SQL: PostgreSQL takes the same statements.

-- `owner` and `epoch` are the lease: `epoch` is the fencing token and only ever grows.
-- `principal` is the person whose thread it is. `inbox_next` is the last sequence given to an input.
CREATE TABLE thread (
    id TEXT NOT NULL PRIMARY KEY,
    principal TEXT NOT NULL,
    private INTEGER NOT NULL,
    owner TEXT,
    epoch BIGINT NOT NULL,
    inbox_next BIGINT NOT NULL,
    head BIGINT NOT NULL,
    leaf BIGINT NOT NULL,
    branch BIGINT NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX thread_created ON thread (created_at, id);
CREATE INDEX thread_principal ON thread (principal);

CREATE TABLE member (
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    principal TEXT NOT NULL,
    PRIMARY KEY (thread, position)
);
CREATE INDEX member_principal ON member (principal, thread);

CREATE TABLE inbox (
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    dedup TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    priority INTEGER NOT NULL,
    outcome TEXT,
    principal TEXT NOT NULL,
    accepted_at TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread, seq)
);
CREATE INDEX inbox_open ON inbox (thread, seq) WHERE state <> 'done';

-- The log: append-only, contiguous. An input is consumed by one entry.
CREATE TABLE entry (
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    parent BIGINT NOT NULL,
    branch BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    run TEXT NOT NULL,
    step INTEGER NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    input_seq BIGINT,
    body TEXT NOT NULL,
    PRIMARY KEY (thread, seq),
    UNIQUE (thread, input_seq),
    FOREIGN KEY (thread, input_seq) REFERENCES inbox (thread, seq)
);

CREATE TABLE run (
    id TEXT NOT NULL PRIMARY KEY,
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    state TEXT NOT NULL,
    started_at TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (thread, position)
);
CREATE INDEX run_open ON run (thread, position) WHERE state <> 'ended';

-- `status` and `expires_at` are what a decision is checked against.
CREATE TABLE question (
    id TEXT NOT NULL PRIMARY KEY,
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    run TEXT NOT NULL,
    status TEXT NOT NULL,
    expires_at TEXT,
    decided_at TEXT,
    body TEXT NOT NULL,
    UNIQUE (thread, position)
);
CREATE INDEX question_run ON question (run, position);
CREATE INDEX question_open ON question (thread, position) WHERE status = 'pending';
CREATE INDEX question_expiry ON question (expires_at, id) WHERE status = 'pending';

CREATE TABLE prompt (
    token TEXT NOT NULL PRIMARY KEY,
    question TEXT NOT NULL REFERENCES question (id) ON DELETE CASCADE,
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    channel TEXT NOT NULL,
    chat TEXT NOT NULL,
    principal TEXT NOT NULL,
    state TEXT NOT NULL,
    message_ref TEXT NOT NULL,
    seq BIGINT NOT NULL
);
CREATE INDEX prompt_question ON prompt (question);
CREATE INDEX prompt_thread ON prompt (thread);

CREATE TABLE journal (
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    run TEXT NOT NULL,
    position BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    call_id TEXT NOT NULL,
    record TEXT NOT NULL,
    note TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, position)
);
CREATE INDEX journal_thread ON journal (thread);

CREATE TABLE approval_rule (
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    PRIMARY KEY (thread, principal, tool)
);

-- Bytes by their SHA-256; `attachment` says which inputs need them.
CREATE TABLE blob (
    id TEXT NOT NULL PRIMARY KEY,
    media_type TEXT NOT NULL,
    data BLOB NOT NULL
);

CREATE TABLE attachment (
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    blob TEXT NOT NULL,
    PRIMARY KEY (thread, seq, blob)
);
CREATE INDEX attachment_blob ON attachment (blob);
