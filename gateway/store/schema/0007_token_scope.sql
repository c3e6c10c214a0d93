-- Which doors a token opens, parted by spaces; those made before open the page.
ALTER TABLE access_token ADD COLUMN scopes TEXT NOT NULL DEFAULT 'page';
