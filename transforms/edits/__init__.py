"""Edits: passes that change the interface or the parts of a model as a user asks (docs/editing.md).

They do what people otherwise do to a `.param` by hand. An edit checks all that it was asked for
before it changes anything.
"""
