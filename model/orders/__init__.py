"""Orders: where one order of the players stands for all."""
