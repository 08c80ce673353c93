"""Statistical mechanics of bounded agents: exact laws of copying among agents with fixed evidence.

Arrays and numbers in, arrays and numbers out. Import from the modules: `composition` (which
evidence a group holds), `chain` (the exact finite chain), `mean_field`, `outcomes` (endpoint
classes) and `accuracy` (mean truth share) calculate; `simulation`, `networks`, `labels` and
`arrival` go where no closed form is known.
"""

__all__: list[str] = []
