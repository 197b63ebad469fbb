"""Generates every SDK and documentation catalogue from the operations catalogue and the WIT world."""
