"""Reviews for pages that fold: comments on pull requests and summaries of CI jobs."""
