"""What people read: results as text, tables, graphs and files."""
