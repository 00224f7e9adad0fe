import java.io.FileReader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import weka.attributeSelection.ASEvaluation;
import weka.attributeSelection.ASSearch;
import weka.attributeSelection.AttributeEvaluator;
import weka.attributeSelection.BestFirst;
import weka.attributeSelection.CfsSubsetEval;
import weka.attributeSelection.GreedyStepwise;
import weka.attributeSelection.InfoGainAttributeEval;
import weka.attributeSelection.SymmetricalUncertAttributeEval;
import weka.core.Instances;
import weka.filters.Filter;
import weka.filters.supervised.attribute.Discretize;

/** Prints one JSON object per ARFF file given: what this Weka says about it. The class is the last attribute. */
public class WekaGolden {
  public static void main(String[] files) throws Exception {
    System.out.println("Weka " + new weka.core.Version());
    for (String file : files) {
      Instances data = new Instances(new FileReader(file));
      data.setClassIndex(data.numAttributes() - 1);
      List<String> parts = new ArrayList<>(scores(data));
      if (data.attribute(0).isNumeric()) {
        Discretize plain = fitted(data, false);
        parts.add(field("mdl_cut_points", cuts(plain, data)));
        parts.add(field("mdl_cut_points_better_encoding", cuts(fitted(data, true), data)));
        Instances binned = Filter.useFilter(data, plain);
        parts.add(field("after_default_mdl", "{" + String.join(", ", scores(binned)) + "}"));
      }
      System.out.println("{" + String.join(", ", parts) + "}");
    }
  }

  static List<String> scores(Instances data) throws Exception {
    List<String> parts = new ArrayList<>();
    parts.add(field("information_gain", each(new InfoGainAttributeEval(), data)));
    parts.add(field("symmetrical_uncertainty", each(new SymmetricalUncertAttributeEval(), data)));
    try {
      Class<?> chi = Class.forName("weka.attributeSelection.ChiSquaredAttributeEval");
      parts.add(field("chi_squared", each((ASEvaluation) chi.getDeclaredConstructor().newInstance(), data)));
    } catch (ClassNotFoundException absent) {
      // Weka 3.9 keeps it in a package of its own.
    }
    BestFirst bestFirst = new BestFirst();
    bestFirst.setOptions(new String[] {"-D", "1", "-N", "5"});
    parts.add(field("cfs_best_first", subset(bestFirst, data)));
    parts.add(field("cfs_greedy", subset(new GreedyStepwise(), data)));
    return parts;
  }

  static Discretize fitted(Instances data, boolean betterEncoding) throws Exception {
    Discretize filter = new Discretize();
    filter.setUseBetterEncoding(betterEncoding);
    filter.setInputFormat(data);
    Filter.useFilter(data, filter);
    return filter;
  }

  static String cuts(Discretize filter, Instances data) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < data.numAttributes() - 1; i++) {
      double[] points = filter.getCutPoints(i);
      rows.add(numbers(points == null ? new double[0] : points));
    }
    return "[" + String.join(", ", rows) + "]";
  }

  static String each(ASEvaluation evaluator, Instances data) throws Exception {
    evaluator.buildEvaluator(data);
    double[] values = new double[data.numAttributes() - 1];
    for (int i = 0; i < values.length; i++) {
      values[i] = ((AttributeEvaluator) evaluator).evaluateAttribute(i);
    }
    return numbers(values);
  }

  static String subset(ASSearch search, Instances data) throws Exception {
    CfsSubsetEval cfs = new CfsSubsetEval();
    cfs.setOptions(new String[] {"-L"});
    if (cfs.getLocallyPredictive()) {
      throw new IllegalStateException("-L did not switch the locally predictive step off");
    }
    cfs.buildEvaluator(data);
    int[] chosen = search.search(cfs, data);
    BitSet bits = new BitSet(data.numAttributes());
    for (int i : chosen) {
      bits.set(i);
    }
    String found = field("subset", numbers(chosen)) + ", " + field("merit", "" + cfs.evaluateSubset(bits));
    if (search instanceof GreedyStepwise) {
      found += ", " + field("order", order(cfs, data, chosen.length));
    }
    return "{" + found + "}";
  }

  /** The order in which the greedy search takes its features, from its own ranking mode. */
  static String order(CfsSubsetEval cfs, Instances data, int length) throws Exception {
    GreedyStepwise ranking = new GreedyStepwise();
    ranking.setOptions(new String[] {"-R", "-N", "" + length});
    ranking.search(cfs, data);
    double[][] ranked = ranking.rankedAttributes();
    int[] order = new int[length];
    for (int i = 0; i < length; i++) {
      order[i] = (int) ranked[i][0];
    }
    return numbers(order);
  }

  static String field(String name, String value) {
    return "\"" + name + "\": " + value;
  }

  static String numbers(double[] values) {
    List<String> shown = new ArrayList<>();
    for (double value : values) {
      shown.add(Double.toString(value));
    }
    return "[" + String.join(", ", shown) + "]";
  }

  static String numbers(int[] values) {
    List<String> shown = new ArrayList<>();
    for (int value : values) {
      shown.add(Integer.toString(value));
    }
    return "[" + String.join(", ", shown) + "]";
  }
}
