"""What definitions of custom resources refuse: schemas, embedded objects, lists and rules in CEL."""
