"""The parts of a report: from a run to tables and lines of numbers, whatever prints them."""
