"""How faithful predictions are: recordings of a real kubectl and API server, and the score against them."""
