"""What a call decides, pure: sound as numbers, who has the floor, what was heard."""
