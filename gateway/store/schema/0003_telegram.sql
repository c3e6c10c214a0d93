-- Who asked to be let in by a code, and who was.
CREATE TABLE pairing (
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    name TEXT NOT NULL,
    code TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    approved_at TEXT,
    revoked_at TEXT,
    PRIMARY KEY (channel, principal)
);

-- Updates that wait for their other pieces or their files; done ones are known for a while.
CREATE TABLE telegram_update (
    bot TEXT NOT NULL,
    id BIGINT NOT NULL,
    done INTEGER NOT NULL,
    kept_at TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (bot, id)
);

-- What has to become visible in a chat, part by part, and where it stands.
CREATE TABLE telegram_delivery (
    id TEXT NOT NULL PRIMARY KEY,
    place TEXT NOT NULL,
    position BIGINT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    kept_at TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX telegram_delivery_open ON telegram_delivery (position) WHERE state = 'open';

-- What a button's token stands for, on which message.
CREATE TABLE telegram_button (
    token TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    chat BIGINT NOT NULL,
    message BIGINT,
    subject TEXT NOT NULL,
    kept_at TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX telegram_button_subject ON telegram_button (subject);
CREATE INDEX telegram_button_message ON telegram_button (chat, message);

-- Chats that can't be reached, and groups that went on under another number.
CREATE TABLE telegram_chat (
    chat BIGINT NOT NULL PRIMARY KEY,
    unreachable INTEGER NOT NULL,
    home BIGINT NOT NULL
);
