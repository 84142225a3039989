"""What stands behind the pages: what else was checked, and how far."""
