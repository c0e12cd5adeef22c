"""The units of a repository: the applies that its layout, its objects and its configuration define."""
