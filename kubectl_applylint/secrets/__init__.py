"""Recognizes credentials and masks them before anything is printed or stored."""
