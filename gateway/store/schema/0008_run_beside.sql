-- A run on another branch than the active one: it is no last run to retry.
ALTER TABLE run ADD COLUMN beside INTEGER NOT NULL DEFAULT 0;
