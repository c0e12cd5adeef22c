"""What kapp deploys: its labels, its rules, its memory, its order and its writes."""
