"""What Argo CD does with the objects of an Application."""
