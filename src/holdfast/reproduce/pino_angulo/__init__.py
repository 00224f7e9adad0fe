"""Pino Angulo 2019."""
