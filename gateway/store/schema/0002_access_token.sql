-- Who may open the page, by the SHA-256 of the secret in their link.
CREATE TABLE access_token (
    digest TEXT NOT NULL PRIMARY KEY,
    principal TEXT NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT
);
CREATE INDEX access_token_principal ON access_token (principal);
