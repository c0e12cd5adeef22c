"""Runs rules on predicted outcomes: their subjects, findings, fixes, and what hides findings."""
