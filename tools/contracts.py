"""An import contract that denies by default: libraries are used where the list says."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import grimp
from importlinter import Contract, ContractCheck, fields, output

STANDARD_LIBRARY = sys.stdlib_module_names | {"__future__"}


class RimsContract(Contract):
    """Which module may import which library.

    ``roots`` are the packages looked at. ``allowed`` lists ``module: library, library`` for
    everything that is no standard library (``*`` allows all). ``standard_library``, where it is
    given, is all that the roots may use of it; ``owned`` lists ``library: module, module`` for
    parts of it that belong to somebody.
    """

    type_name = "rims"

    roots = fields.ListField(subfield=fields.StringField())
    allowed = fields.ListField(subfield=fields.StringField(), required=False)
    standard_library = fields.SetField(subfield=fields.StringField(), required=False)
    owned = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:
        broken = sorted(set(self._broken(graph)))
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, library in check.metadata["broken"]:
            output.print_error(f"- {importer} may not import {library}", bold=False)
        output.new_line()

    def _broken(self, graph: grimp.ImportGraph) -> Iterator[tuple[str, str]]:
        own = {
            module.split(".")[0] for module in graph.modules if not graph.is_module_squashed(module)
        }
        for importer in graph.modules:
            if graph.is_module_squashed(importer) or not _within(importer, self.roots):  # type: ignore[arg-type]
                continue
            for imported in graph.find_modules_directly_imported_by(importer):
                library = imported.split(".")[0]
                if library not in own and not self._may(importer, library):
                    yield importer, library

    def _may(self, importer: str, library: str) -> bool:
        if library in STANDARD_LIBRARY:
            permitted: object = self.standard_library
            if isinstance(permitted, set) and library not in permitted:
                return False
            owners = _table(self.owned).get(library)
            return owners is None or _within(importer, owners)
        return any(
            _within(importer, [module]) and (library in libraries or "*" in libraries)
            for module, libraries in _table(self.allowed).items()
        )


def _table(lines: object) -> dict[str, list[str]]:
    table = {}
    for line in lines or ():  # type: ignore[attr-defined]
        name, _, values = str(line).partition(":")
        table[name.strip()] = [value.strip() for value in values.split(",")]
    return table


def _within(module: str, packages: list[str]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)
