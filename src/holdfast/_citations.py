"""The works behind the methods: one entry per key of the registry's ``references``, as text and as BibTeX."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """A paper, a book or a thesis.

    Parameters
    ----------
    kind : str
        BibTeX's word for it: article, book, inproceedings, phdthesis or mastersthesis.
    authors : tuple of str
        Each as "Family, Given".
    title : str
        Full title.
    year : int
        Year of publication.
    where : str
        Journal, proceedings, publisher or school.
    volume, number, pages, address, doi : str
        As printed; empty where there is none.
    """

    kind: str
    authors: tuple[str, ...]
    title: str
    year: int
    where: str
    volume: str = ""
    number: str = ""
    pages: str = ""
    address: str = ""
    doi: str = ""


WORKS: dict[str, Work] = {
    "abeel2010": Work(
        "article",
        ("Abeel, Thomas", "Helleputte, Thibault", "Van de Peer, Yves", "Dupont, Pierre", "Saeys, Yvan"),
        "Robust biomarker identification for cancer diagnosis with ensemble feature selection methods", 2010,
        "Bioinformatics", "26", "3", "392–398", doi="10.1093/bioinformatics/btp630",
    ),
    "almuallim1992": Work(
        "inproceedings", ("Almuallim, Hussein", "Dietterich, Thomas G."),
        "Efficient algorithms for identifying relevant features", 1992,
        "Proceedings of the Ninth Canadian Conference on Artificial Intelligence", pages="38–45",
    ),
    "alshamlan2015": Work(
        "article", ("Alshamlan, Hala M.", "Badr, Ghada H.", "Alohali, Yousef A."),
        "Genetic bee colony (GBC) algorithm: a new gene selection method for microarray cancer classification", 2015,
        "Computational Biology and Chemistry", volume="56", pages="49–60", doi="10.1016/j.compbiolchem.2015.03.001",
    ),
    "benbrahim2015": Work(
        "phdthesis", ("Ben Brahim, Afef",),
        "Stable and Efficient Feature Selection Methods for High Dimensional Data", 2015,
        "Université de Tunis, Institut Supérieur de Gestion",
    ),
    "brankovic2018": Work(
        "article", ("Brankovic, Aida", "Falsone, Alessandro", "Prandini, Maria", "Piroddi, Luigi"),
        "A feature selection and classification algorithm based on randomized extraction of model populations", 2018,
        "IEEE Transactions on Cybernetics", volume="48", pages="1151–1162",
    ),
    "brankovic2019": Work(
        "article", ("Brankovic, Aida", "Hosseini, Marjan", "Piroddi, Luigi"),
        "A distributed feature selection algorithm based on distance correlation with an application to microarrays",
        2019, "IEEE/ACM Transactions on Computational Biology and Bioinformatics", volume="16", pages="1802–1815",
    ),
    "brown2012": Work(
        "article", ("Brown, Gavin", "Pocock, Adam", "Zhao, Ming-Jie", "Luján, Mikel"),
        "Conditional likelihood maximisation: a unifying framework for information theoretic feature selection", 2012,
        "Journal of Machine Learning Research", volume="13", pages="27–66",
    ),
    "covoes2011": Work(
        "article", ("Covões, Thiago F.", "Hruschka, Eduardo R."),
        "Towards improving cluster-based feature selection with a simplified silhouette filter", 2011,
        "Information Sciences", "181", "18", "3766–3782", doi="10.1016/j.ins.2011.04.050",
    ),
    "ding2005": Work(
        "article", ("Ding, Chris", "Peng, Hanchuan"),
        "Minimum redundancy feature selection from microarray gene expression data", 2005,
        "Journal of Bioinformatics and Computational Biology", volume="3", number="2", pages="185–205",
        doi="10.1142/S0219720005001004",
    ),
    "eirola2008": Work(
        "inproceedings",
        ("Eirola, Emil", "Liitiäinen, Elia", "Lendasse, Amaury", "Corona, Francesco", "Verleysen, Michel"),
        "Using the delta test for variable selection", 2008,
        "Proceedings of the European Symposium on Artificial Neural Networks", pages="25–30",
    ),
    "elakadi2011": Work(
        "article", ("El Akadi, Ali", "Amine, Aouatif", "El Ouardighi, Abdeljalil", "Aboutajdine, Driss"),
        "A two-stage gene selection scheme utilizing MRMR filter and GA wrapper", 2011,
        "Knowledge and Information Systems", volume="26", number="3", pages="487–500", doi="10.1007/s10115-010-0288-x",
    ),
    "fisher1925": Work(
        "book", ("Fisher, Ronald A.",), "Statistical Methods for Research Workers", 1925, "Oliver and Boyd",
        address="Edinburgh",
    ),
    "fleuret2004": Work(
        "article", ("Fleuret, François",), "Fast binary feature selection with conditional mutual information", 2004,
        "Journal of Machine Learning Research", volume="5", pages="1531–1555",
    ),
    "friedman2010": Work(
        "article", ("Friedman, Jerome", "Hastie, Trevor", "Tibshirani, Robert"),
        "Regularization Paths for Generalized Linear Models via Coordinate Descent", 2010,
        "Journal of Statistical Software", "33", "1", "1–22", doi="10.18637/jss.v033.i01",
    ),
    "granizo2013": Work(
        "inproceedings", ("Granizo-Mackenzie, Delaney", "Moore, Jason H."),
        "Multiple threshold spatially uniform ReliefF for the genetic analysis of complex human diseases", 2013,
        "Evolutionary Computation, Machine Learning and Data Mining in Bioinformatics", pages="1–10",
    ),
    "greene2009": Work(
        "article", ("Greene, Casey S.", "Penrod, Nadia M.", "Kiralis, Jeff", "Moore, Jason H."),
        "Spatially Uniform ReliefF (SURF) for computationally-efficient filtering of gene-gene interactions", 2009,
        "BioData Mining", volume="2", pages="5", doi="10.1186/1756-0381-2-5",
    ),
    "greene2010": Work(
        "inproceedings", ("Greene, Casey S.", "Himmelstein, Daniel S.", "Kiralis, Jeff", "Moore, Jason H."),
        "The informative extremes: using both nearest and farthest individuals can improve Relief algorithms in the "
        "domain of human genetics", 2010,
        "Evolutionary Computation, Machine Learning and Data Mining in Bioinformatics", pages="182–193",
    ),
    "guyon2002": Work(
        "article", ("Guyon, Isabelle", "Weston, Jason", "Barnhill, Stephen", "Vapnik, Vladimir"),
        "Gene Selection for Cancer Classification using Support Vector Machines", 2002, "Machine Learning", "46", "1–3",
        "389–422", doi="10.1023/A:1012487302797",
    ),
    "hall2000": Work(
        "inproceedings", ("Hall, Mark A.",),
        "Correlation-based feature selection for discrete and numeric class machine learning", 2000,
        "Proceedings of the Seventeenth International Conference on Machine Learning", pages="359–366",
    ),
    "han2012": Work(
        "phdthesis", ("Han, Yue",), "Stable Feature Selection: Theory and Algorithms", 2012,
        "Binghamton University, State University of New York",
    ),
    "he2005": Work(
        "inproceedings", ("He, Xiaofei", "Cai, Deng", "Niyogi, Partha"), "Laplacian score for feature selection", 2005,
        "Advances in Neural Information Processing Systems", volume="18", pages="507–514",
    ),
    "helleputte2009": Work(
        "inproceedings", ("Helleputte, Thibault", "Dupont, Pierre"),
        "Partially Supervised Feature Selection with Regularized Linear Models", 2009,
        "Proceedings of the 26th International Conference on Machine Learning", pages="409–416",
        doi="10.1145/1553374.1553427",
    ),
    "hosseini2018": Work(
        "mastersthesis", ("Hosseini, Marjan",), "Feature Selection for Microarray Classification Problems", 2018,
        "Politecnico di Milano",
    ),
    "kira1992": Work(
        "inproceedings", ("Kira, Kenji", "Rendell, Larry A."),
        "The feature selection problem: traditional methods and a new algorithm", 1992,
        "Proceedings of the Tenth National Conference on Artificial Intelligence", pages="129–134",
    ),
    "kononenko1994": Work(
        "inproceedings", ("Kononenko, Igor",), "Estimating attributes: analysis and extensions of RELIEF", 1994,
        "European Conference on Machine Learning", pages="171–182", doi="10.1007/3-540-57868-4_57",
    ),
    "lewis1992": Work(
        "inproceedings", ("Lewis, David D.",), "Feature selection and feature extraction for text categorization", 1992,
        "Speech and Natural Language: Proceedings of a Workshop Held at Harriman, New York", pages="212–217",
        doi="10.3115/1075527.1075574",
    ),
    "liu2017": Work(
        "article", ("Liu, Chuan", "Wang, Wenyong", "Zhao, Qiang", "Shen, Xiaoming", "Konan, Martin"),
        "A new feature selection method based on a validity index of feature subset", 2017,
        "Pattern Recognition Letters", "92", "", "1–8",
    ),
    "meinshausen2010": Work(
        "article", ("Meinshausen, Nicolai", "Bühlmann, Peter"), "Stability selection", 2010,
        "Journal of the Royal Statistical Society: Series B", "72", "4", "417–473",
        doi="10.1111/j.1467-9868.2010.00740.x",
    ),
    "meyer2006": Work(
        "inproceedings", ("Meyer, Patrick E.", "Bontempi, Gianluca"),
        "On the use of variable complementarity for feature selection in cancer classification", 2006,
        "Applications of Evolutionary Computing, Lecture Notes in Computer Science", volume="3907", pages="91–102",
        doi="10.1007/11732242_9",
    ),
    "michel2018": Work(
        "mastersthesis", ("Michel, Gauthier",), "Stable Forward Search for Feature Selection", 2018,
        "University of Namur",
    ),
    "moore2007": Work(
        "inproceedings", ("Moore, Jason H.", "White, Bill C."),
        "Tuning ReliefF for genome-wide genetic analysis", 2007,
        "Evolutionary Computation, Machine Learning and Data Mining in Bioinformatics", pages="166–175",
    ),
    "pearson1895": Work(
        "article", ("Pearson, Karl",), "Note on regression and inheritance in the case of two parents", 1895,
        "Proceedings of the Royal Society of London", volume="58", pages="240–242", doi="10.1098/rspl.1895.0041",
    ),
    "pearson1900": Work(
        "article", ("Pearson, Karl",),
        "On the criterion that a given system of deviations from the probable in the case of a correlated system of "
        "variables is such that it can be reasonably supposed to have arisen from random sampling", 1900,
        "The London, Edinburgh, and Dublin Philosophical Magazine and Journal of Science", volume="50", number="302",
        pages="157–175", doi="10.1080/14786440009463897",
    ),
    "peng2005": Work(
        "article", ("Peng, Hanchuan", "Long, Fuhui", "Ding, Chris"),
        "Feature selection based on mutual information: criteria of max-dependency, max-relevance, and min-redundancy",
        2005, "IEEE Transactions on Pattern Analysis and Machine Intelligence", volume="27", number="8",
        pages="1226–1238", doi="10.1109/TPAMI.2005.159",
    ),
    "pinoangulo2015": Work(
        "inproceedings", ("Pino Angulo, Adrian", "Shin, Kilho"),
        "Fast and accurate steepest-descent consistency-constrained algorithms for feature selection", 2015,
        "Machine Learning, Optimization, and Big Data", pages="293–305",
    ),
    "pinoangulo2019": Work(
        "phdthesis", ("Pino Angulo, Adrian",),
        "A New Balance for Efficiency and Accuracy of Feature Selection for High-dimensional Datasets", 2019,
        "University of Hyogo, Graduate School of Applied Informatics",
    ),
    "robnik2003": Work(
        "article", ("Robnik-Šikonja, Marko", "Kononenko, Igor"),
        "Theoretical and empirical analysis of ReliefF and RReliefF", 2003,
        "Machine Learning", volume="53", pages="23–69", doi="10.1023/A:1025667309714",
    ),
    "shah2013": Work(
        "article", ("Shah, Rajen D.", "Samworth, Richard J."),
        "Variable selection with error control: another look at stability selection", 2013,
        "Journal of the Royal Statistical Society: Series B", "75", "1", "55–80",
        doi="10.1111/j.1467-9868.2011.01034.x",
    ),
    "shin2009a": Work(
        "inproceedings", ("Shin, Kilho", "Xu, Xian Ming"), "Consistency-based feature selection", 2009,
        "Knowledge-Based and Intelligent Information and Engineering Systems", pages="342–350",
    ),
    "shin2009b": Work(
        "inproceedings", ("Shin, Kilho", "Xu, Xian Ming"),
        "A consistency-constrained feature selection algorithm with the steepest descent method", 2009,
        "Modeling Decisions for Artificial Intelligence", pages="338–350",
    ),
    "shin2015": Work(
        "inproceedings", ("Shin, Kilho", "Kuboyama, Tetsuji", "Hashimoto, Takako", "Shepard, David"),
        "Super-CWC and super-LCC: Super fast feature selection algorithms", 2015,
        "IEEE International Conference on Big Data", pages="1–7",
    ),
    "skalak1994": Work(
        "inproceedings", ("Skalak, David B.",),
        "Prototype and feature selection by sampling and random mutation hill climbing algorithms", 1994,
        "Proceedings of the Eleventh International Conference on Machine Learning", pages="293–301",
    ),
    "spearman1904": Work(
        "article", ("Spearman, Charles",), "The proof and measurement of association between two things", 1904,
        "The American Journal of Psychology", volume="15", number="1", pages="72–101", doi="10.2307/1412159",
    ),
    "student1908": Work(
        "article", ("Student",), "The probable error of a mean", 1908, "Biometrika", volume="6", number="1",
        pages="1–25", doi="10.1093/biomet/6.1.1",
    ),
    "szekely2007": Work(
        "article", ("Székely, Gábor J.", "Rizzo, Maria L.", "Bakirov, Nail K."),
        "Measuring and testing dependence by correlation of distances", 2007, "The Annals of Statistics",
        volume="35", pages="2769–2794",
    ),
    "szekely2014": Work(
        "article", ("Székely, Gábor J.", "Rizzo, Maria L."),
        "Partial distance correlation with methods for dissimilarities", 2014, "The Annals of Statistics",
        volume="42", pages="2382–2412",
    ),
    "tibshirani1996": Work(
        "article", ("Tibshirani, Robert",), "Regression Shrinkage and Selection via the Lasso", 1996,
        "Journal of the Royal Statistical Society: Series B", "58", "1", "267–288",
        doi="10.1111/j.2517-6161.1996.tb02080.x",
    ),
    "urbanowicz2018": Work(
        "article",
        ("Urbanowicz, Ryan J.", "Olson, Randal S.", "Schmitt, Peter", "Meeker, Melissa", "Moore, Jason H."),
        "Benchmarking relief-based feature selection methods for bioinformatics data mining", 2018,
        "Journal of Biomedical Informatics", volume="85", pages="168–188", doi="10.1016/j.jbi.2018.07.015",
    ),
    "welch1947": Work(
        "article", ("Welch, Bernard L.",),
        "The generalization of ‘Student’s’ problem when several different population variances are involved", 1947,
        "Biometrika", volume="34", number="1–2", pages="28–35", doi="10.1093/biomet/34.1-2.28",
    ),
    "weston2003": Work(
        "article", ("Weston, Jason", "Elisseeff, André", "Schölkopf, Bernhard", "Tipping, Mike"),
        "Use of the Zero-Norm with Linear Models and Kernel Methods", 2003, "Journal of Machine Learning Research", "3",
        pages="1439–1461",
    ),
    "yang1999": Work(
        "inproceedings", ("Yang, Howard Hua", "Moody, John"),
        "Data visualization and feature selection: new algorithms for nongaussian data", 1999,
        "Advances in Neural Information Processing Systems", volume="12", pages="687–693",
    ),
    "yu2003": Work(
        "inproceedings", ("Yu, Lei", "Liu, Huan"),
        "Feature selection for high-dimensional data: a fast correlation-based filter solution", 2003,
        "Proceedings of the Twentieth International Conference on Machine Learning", pages="856–863",
    ),
    "zhao2007": Work(
        "inproceedings", ("Zhao, Zheng", "Liu, Huan"), "Searching for interacting features", 2007,
        "Proceedings of the 20th International Joint Conference on Artificial Intelligence", pages="1156–1161",
    ),
    "zou2005": Work(
        "article", ("Zou, Hui", "Hastie, Trevor"), "Regularization and Variable Selection via the Elastic Net", 2005,
        "Journal of the Royal Statistical Society: Series B", "67", "2", "301–320",
        doi="10.1111/j.1467-9868.2005.00503.x",
    ),
}  # fmt: skip

_HOME = {"article": "journal", "book": "publisher", "inproceedings": "booktitle"}
_THESIS = {"phdthesis": "Doctoral thesis", "mastersthesis": "Master's thesis"}


def reference(key: str) -> str:
    """Write a work as a line of a reference list.

    Examples
    --------
    >>> reference("he2005")
    'He, Cai, Niyogi (2005). Laplacian score for feature selection. Advances in Neural Information Processing Systems 18, 507–514.'
    """  # noqa: E501
    work = WORKS[key]
    families = ", ".join(author.partition(",")[0] for author in work.authors)
    volume = f" {work.volume}" if work.volume else ""
    number = f"({work.number})" if work.number else ""
    pages = f", {work.pages}" if work.pages else ""
    kind = f"{_THESIS[work.kind]}, " if work.kind in _THESIS else ""
    address = f", {work.address}" if work.address else ""
    doi = f" https://doi.org/{work.doi}" if work.doi else ""
    return f"{families} ({work.year}). {work.title}. {kind}{work.where}{volume}{number}{pages}{address}.{doi}"


def bibtex(key: str) -> str:
    """Write a work as a BibTeX entry.

    Examples
    --------
    >>> print(bibtex("fisher1925"))
    @book{fisher1925,
      author    = {Fisher, Ronald A.},
      title     = {{Statistical Methods for Research Workers}},
      publisher = {Oliver and Boyd},
      year      = {1925},
      address   = {Edinburgh},
    }
    """
    work = WORKS[key]
    fields = {
        "author": " and ".join(work.authors),
        # Double braces keep the capitals as they are.
        "title": f"{{{work.title}}}",
        _HOME.get(work.kind, "school"): work.where,
        "year": str(work.year),
        "volume": work.volume,
        "number": work.number.replace("–", "--"),
        "pages": work.pages.replace("–", "--"),
        "address": work.address,
        "doi": work.doi,
    }
    lines = [f"  {name:<9} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{work.kind}{{{key},", *lines, "}"])
