"""Writing a figure with its data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

DOTS_PER_INCH = 200


def save(figure: Figure, table: pd.DataFrame, stem: Path) -> tuple[Path, Path, Path]:
    r"""Write a figure as PDF and PNG and its data as CSV.

    The files hold no date, so that the same figure gives the same bytes (with the same version of
    matplotlib). Text in the PDF stays text.

    Args:
        figure: what to write.
        table: the data it was drawn from; missing values become empty fields.
        stem: path without extension; its folder must exist.

    Returns:
        The paths of the PDF, the PNG and the CSV file.

    Raises:
        OSError: the folder is missing or cannot be written.

    >>> import tempfile, pandas
    >>> from matplotlib.figure import Figure
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = save(Figure(), pandas.DataFrame({"N": [4]}), Path(folder) / "fig3")
    ...     [path.name for path in paths], paths[2].read_text()
    (['fig3.pdf', 'fig3.png', 'fig3.csv'], 'N\n4\n')
    """
    import matplotlib as mpl

    pdf, png, csv = (stem.with_name(f"{stem.name}.{kind}") for kind in ("pdf", "png", "csv"))
    with mpl.rc_context({"pdf.fonttype": 42}):
        figure.savefig(pdf, metadata={"CreationDate": None})
    figure.savefig(png, dpi=DOTS_PER_INCH, metadata={"Software": None})
    csv.write_bytes(table.to_csv(index=False, lineterminator="\n").encode())
    return pdf, png, csv
