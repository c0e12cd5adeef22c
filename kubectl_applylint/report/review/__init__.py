"""Reviews on pages with folded parts: comments on pull requests and summaries of CI jobs."""
