"""The part of xllamacpp that is used."""

class CommonParamsModel:
    path: str

class CpuParams:
    n_threads: int

class CommonParamsSampling:
    top_k: int
    top_p: float
    min_p: float

class CommonParams:
    model: CommonParamsModel
    n_parallel: int
    n_ctx: int
    cache_ram_mib: int
    cpuparams: CpuParams
    cpuparams_batch: CpuParams
    sampling: CommonParamsSampling
    api_keys: list[str]
    ui: bool
    endpoint_slots: bool
    verbosity: int

class Server:
    def __init__(self, common_params: CommonParams) -> None: ...
    @property
    def listening_address(self) -> str: ...
