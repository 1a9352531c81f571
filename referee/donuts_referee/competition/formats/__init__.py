"""The formats of a competition: interchangeable schedules over the same journal."""
