"""Conversations that happened elsewhere become a run; the public part of a run becomes lines."""

from socialcircuits.importing.building import LINEAGE
from socialcircuits.importing.fields import FIELDS, FieldMap, load_map
from socialcircuits.importing.lines import Fault
from socialcircuits.importing.probing import Probing, probe
from socialcircuits.importing.storing import IMPORTED, Imported, convert, imported
from socialcircuits.importing.structure import Structure, structure
from socialcircuits.importing.writing import Written, write

__all__ = [
    "FIELDS",
    "IMPORTED",
    "LINEAGE",
    "Fault",
    "FieldMap",
    "Imported",
    "Probing",
    "Structure",
    "Written",
    "convert",
    "imported",
    "load_map",
    "probe",
    "structure",
    "write",
]
