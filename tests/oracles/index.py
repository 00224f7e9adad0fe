"""Slow twins by the names that the registry rows give them."""

from __future__ import annotations

from oracles import neighbours, pairwise, ranking, wrappers

ORACLES = {
    "t_test": ranking.t_test,
    "pooled_t": ranking.pooled_t,
    "f_test": ranking.f_test,
    "fisher": ranking.fisher,
    "relative_entropy": ranking.relative_entropy,
    "information_gain": ranking.information_gain,
    "symmetrical_uncertainty": ranking.symmetrical_uncertainty,
    "chi2": ranking.chi2,
    "laplacian": ranking.laplacian,
    "pearson": ranking.pearson,
    "spearman": ranking.spearman,
    "mrmr_mid": pairwise.mrmr_mid,
    "mrmr_miq": pairwise.mrmr_miq,
    "mrmr_fcd": pairwise.mrmr_fcd,
    "mrmr_fcq": pairwise.mrmr_fcq,
    "cfs": pairwise.cfs,
    "cfs_best_first": pairwise.cfs_best_first,
    "fcbf": pairwise.fcbf,
    "jmi": pairwise.jmi,
    "cmim": pairwise.cmim,
    "disr": pairwise.disr,
    "relief": neighbours.relief,
    "relieff": neighbours.relieff,
    "surf": neighbours.surf,
    "multisurf": neighbours.multisurf,
    "turf": neighbours.turf,
    "instance_based": neighbours.instance_based,
    "hib_sbs": wrappers.hib_sbs,
    "hib_css": wrappers.hib_css,
    "hybrid_sequential": wrappers.hybrid_sequential,
    "randomized": wrappers.randomized,
}
