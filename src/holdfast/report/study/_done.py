"""What was done in a study: data, protocol, seed and digests."""

from __future__ import annotations

from holdfast.report.study._lookup import Row
from holdfast.report.study._numbers import count, share

_MOST_CLASSES = 12


def facts(summary: Row) -> list[tuple[str, list[str]]]:
    """What another person needs to do the same: a label and one or more sentences."""
    plan = summary["plan"]
    data, protocol = plan["data"], plan["protocol"]
    source = data["source"] or "a table in memory"
    found: list[tuple[str, str | list[str]]] = [
        (
            "Data",
            f"{source}, {count(data['n_samples'], 'sample')}, {count(data['n_features'], 'feature')}",
        ),
        ("Classes", _classes(summary)),
        ("Groups", f"{count(data['n_groups'], 'group')} of samples kept together" if data["n_groups"] else ""),
        ("Missing values", f"filled in: {data['imputed']}" if data["imputed"] else ""),
        ("Methods", [_method(method) for method in plan["methods"]]),
        (
            "Sizes",
            ", ".join(map(str, plan["sizes"])) + (", tuned by inner cross-validation" if plan["tune_size"] else ""),
        ),
        ("Classifiers", [f"{c['name']} ({c['words']})" for c in plan["classifiers"]]),
        ("Protocol", f"{protocol['words']}: {_splits(summary)}"),
        ("Selection", "on the training part of every split; the test part is used for nothing but the scores"),
        ("Without features", f"accuracy {share(summary['baseline']['accuracy'])} ({summary['baseline']['words']})"),
        ("Seed", str(plan["seed"])),
        ("Plan", f"SHA-256 {plan['digest']}"),
        ("Table", f"SHA-256 {data['digest']}"),
        ("Holdfast", summary["holdfast_version"]),
    ]
    return [(label, [words] if isinstance(words, str) else words) for label, words in found if words]


def _classes(summary: Row) -> str:
    """Samples of each class, the first ones of many."""
    data = summary["plan"]["data"]
    named = [f"{name} ({number:,})" for name, number in data["classes"].items()]
    rest = [f"… and {len(named) - _MOST_CLASSES:,} more"] if len(named) > _MOST_CLASSES else []
    target = f", from {data['target']}" if data["target"] is not None else ""
    positive = f"; positive: {data['positive']}" if data["positive"] is not None else ""
    return ", ".join(named[:_MOST_CLASSES] + rest) + target + positive


def _splits(summary: Row) -> str:
    """How many splits of what sizes."""
    protocol = summary["plan"]["protocol"]
    sizes = f"{protocol['n_train']:,.0f} samples to train and {protocol['n_test']:,.0f} to test"
    return f"{count(protocol['n_splits'], 'split')}, about {sizes}"


def _method(method: Row) -> str:
    settings = ", ".join(f"{name}={value}" for name, value in method["parameters"].items() if value is not None)
    return f"{method['name']} ({settings})" if settings else str(method["name"])
