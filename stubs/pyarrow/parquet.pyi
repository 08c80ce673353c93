from pathlib import Path
from types import TracebackType

from pyarrow import Schema, Table

class ParquetWriter:
    schema: Schema
    def __init__(self, where: Path, schema: Schema) -> None: ...
    def __enter__(self) -> ParquetWriter: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
    def write_table(self, table: Table) -> None: ...
