"""The machinery of passes: the table of passes, pattern passes, selection, counting, remarks."""
