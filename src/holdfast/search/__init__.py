"""How candidates are walked through, and how ties between them are settled."""
