"""Pods and pod templates: everything in a pod's spec."""
