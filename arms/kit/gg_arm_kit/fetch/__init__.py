"""One small module for each ecosystem a package can be fetched from, by that ecosystem's ordinary client."""
