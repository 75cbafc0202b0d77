"""What a model costs, or two models differ in: as text, as JSON and as a page."""
