"""The facts of a plan for reviewers: images, chart versions, definitions and clusters that change."""
