-- Who brought a file that is in no message yet, and since when: it is kept until a deadline.
CREATE TABLE upload (
    blob TEXT NOT NULL,
    principal TEXT NOT NULL,
    kept_at TEXT NOT NULL,
    PRIMARY KEY (blob, principal)
);
CREATE INDEX upload_kept_at ON upload (kept_at);
