"""Facts about models that passes, conversions and reports ask for."""
