"""`python -m socialcircuits` is the command line."""

from socialcircuits.cli import main

if __name__ == "__main__":
    main()
