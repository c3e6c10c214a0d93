-- The language of each person: the one that they chose, else their client's.
CREATE TABLE telegram_person (
    principal TEXT NOT NULL PRIMARY KEY,
    language TEXT NOT NULL,
    chosen INTEGER NOT NULL
);
