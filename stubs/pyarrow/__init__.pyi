import pandas as pd

class Schema:
    @classmethod
    def from_pandas(cls, df: pd.DataFrame) -> Schema: ...

class Table:
    @classmethod
    def from_pandas(cls, df: pd.DataFrame, schema: Schema | None = ...) -> Table: ...
