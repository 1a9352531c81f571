"""What results say about strength: ratings with intervals, tests and forecasts; no file, no clock, no bot."""
