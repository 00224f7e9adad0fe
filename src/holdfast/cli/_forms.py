"""A selection as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from holdfast import __version__
from holdfast.cli._selection import Feature, Selection, known_among_chosen

SCHEMA, SCHEMA_VERSION = "holdfast.selection", 1


def as_dictionary(selection: Selection) -> dict[str, Any]:
    """Everything about a selection; docs/selection-json.md describes it."""
    request, runs = selection.request, selection.n_repeats
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "holdfast_version": __version__,
        "method": selection.method.name,
        "parameters": selection.parameters,
        "seed": request.seed,
        "data": {
            "source": selection.source,
            "n_samples": selection.n_samples,
            "n_features": selection.n_features,
            "target": selection.target_name,
            "classes": selection.classes,
            "imputed": request.impute,
        },
        "prior": _prior(selection),
        "n_half_samples": 0 if selection.repeats is None else selection.repeats.n_halves,
        "resamples": {"n": runs, "kind": None if selection.repeats is None else selection.repeats.kind},
        "stability": _stability(selection),
        "selected": [
            {
                "rank": feature.rank,
                **_place(feature),
                "relevance": feature.relevance,
                "frequency": _share(feature, runs),
            }
            for feature in selection.chosen
        ],
        "near_misses": {
            "just_below": [{**_place(f), "frequency": _share(f, runs)} for f in selection.below],
            "often_chosen": [{**_place(f), "frequency": _share(f, runs)} for f in selection.often],
        },
        "details": selection.details,
        "n_ties": selection.n_ties,
        "is_tied_at_cut": selection.is_tied_at_cut,
        "evaluations": selection.evaluations,
        "findings": [
            {"kind": finding.kind, "severity": finding.severity, "message": finding.message}
            for finding in selection.findings
        ],
        "warnings": list(selection.remarks),
    }


def to_csv(selection: Selection) -> str:
    """One line per chosen feature."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["feature", "rank", "score", "frequency"])
    for feature in selection.chosen:
        score = "" if feature.score is None else repr(feature.score)
        share = _share(feature, selection.n_repeats)
        writer.writerow([feature.name, feature.rank, score, "" if share is None else share])
    return out.getvalue()


def _stability(selection: Selection) -> dict[str, Any] | None:
    found = None if selection.repeats is None else selection.repeats.stability
    if found is None:
        return None
    return {"index": "nogueira", "value": found.value, "low": found.low, "high": found.high, "level": found.level}


def _prior(selection: Selection) -> dict[str, Any] | None:
    """What prior knowledge was used; the weights are among the parameters."""
    prior = selection.request.prior
    if prior is None:
        return None
    return {
        "source": Path(prior.known.source).name if prior.known.source else None,
        "sets": list(prior.known.sets),
        "n_names": len(prior.known),
        "n_names_matched": prior.n_matched,
        "unmatched": list(prior.unmatched),
        "n_features": len(prior.features),
        "n_selected": len(known_among_chosen(selection)),
    }


def _place(feature: Feature) -> dict[str, Any]:
    return {"name": feature.name, "index": feature.index, "score": feature.score}


def _share(feature: Feature, runs: int) -> float | None:
    return feature.times / runs if feature.times is not None and runs else None
