"""Pods and the templates of pods: everything that a pod's spec can hold."""
