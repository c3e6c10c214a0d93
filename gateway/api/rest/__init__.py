"""The JSON API of programs, version 1, under `/v1`."""
