-- What people are asked in a chat that is not the thread's own.
CREATE INDEX prompt_elsewhere ON prompt (chat, principal) WHERE chat <> thread;
