-- What one run left in a long log is found without reading the log.
CREATE INDEX entry_run ON entry (run, seq);
