"""Prior knowledge on the command line: ``--prior FILE --prior-sets A,B --aliases FILE --probes FILE``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from holdfast._registry import Method, methods
from holdfast.knowledge import Matched, match, read


@dataclass(frozen=True)
class PriorFiles:
    """What the user gave."""

    names: Path | None = None
    sets: str | None = None
    aliases: Path | None = None
    probes: Path | None = None

    def check(self, method: Method) -> None:
        """Refuse what a method does not take, or what says nothing, before any work is done."""
        if self.names is None:
            for flag, value in (("--prior-sets", self.sets), ("--aliases", self.aliases), ("--probes", self.probes)):
                if value is not None:
                    raise ValueError(f"{flag} {value} says how to read --prior, which is missing. Add --prior FILE.")
        elif not takes_prior(method):
            takers = ", ".join(row.name for row in methods() if takes_prior(row))
            raise ValueError(f"{method.name} takes no prior knowledge. Leave --prior out, or choose one of {takers}.")

    def match(self, feature_names: tuple[str, ...]) -> Matched | None:
        """Read the files and find the features they name."""
        if self.names is None:
            return None
        sets = None if self.sets is None else [name.strip() for name in self.sets.split(",") if name.strip()]
        return match(read(self.names, sets), feature_names, self.aliases, self.probes)


def takes_prior(method: Method) -> bool:
    """Whether a method has a prior, be it named after it or not."""
    return "prior" in method.selector_class._get_param_names()
