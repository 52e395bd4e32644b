"""`python -m weir_cli`."""

from weir_cli import main

main()
