"""Rule folders, their stories, and the catalogue of hazards."""
