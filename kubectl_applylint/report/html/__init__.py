"""The report as one page of HTML: plain values for a template, and what they are made from."""
