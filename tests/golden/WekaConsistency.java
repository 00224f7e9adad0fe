import java.io.FileReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import weka.attributeSelection.ASSearch;
import weka.attributeSelection.ConsistencySubsetEval;
import weka.attributeSelection.ExhaustiveSearch;
import weka.attributeSelection.GreedyStepwise;
import weka.core.Instances;
import weka.filters.Filter;
import weka.filters.supervised.attribute.Discretize;

/** Prints one JSON object per ARFF file given: the consistency of drawn subsets, and what two searches find. The class is the last attribute. */
public class WekaConsistency {
  static final int SUBSETS = 60;
  static final int FEW = 12;

  public static void main(String[] files) throws Exception {
    System.out.println("Weka " + weka.core.Version.VERSION);
    for (String file : files) {
      Instances data = new Instances(new FileReader(file));
      data.setClassIndex(data.numAttributes() - 1);
      if (data.attribute(0).isNumeric()) {
        // The evaluator would bin by itself, with the other encoding; of nominal attributes it bins none.
        Discretize mdl = new Discretize();
        mdl.setInputFormat(data);
        data = Filter.useFilter(data, mdl);
      }
      StringJoiner parts = new StringJoiner(", ", "{", "}");
      parts.add(consistencies(data));
      GreedyStepwise backward = new GreedyStepwise();
      backward.setSearchBackwards(true);
      parts.add(found("greedy_backward", backward, data));
      parts.add(found("exhaustive_in_the_first_12", new ExhaustiveSearch(), firstFew(data)));
      System.out.println(parts);
    }
  }

  /** No feature, all, and drawn subsets, more of them small than large: large ones are all alike. */
  static String consistencies(Instances data) throws Exception {
    ConsistencySubsetEval evaluator = new ConsistencySubsetEval();
    evaluator.buildEvaluator(data);
    int numFeatures = data.numAttributes() - 1;
    List<Integer> features = new ArrayList<>();
    for (int i = 0; i < numFeatures; i++) {
      features.add(i);
    }
    Random random = new Random(7);
    StringJoiner subsets = new StringJoiner(", ", "[", "]");
    double[] values = new double[SUBSETS];
    for (int draw = 0; draw < SUBSETS; draw++) {
      Collections.shuffle(features, random);
      double share = random.nextDouble();
      int size = draw == 0 ? 0 : draw == 1 ? numFeatures : 1 + (int) (numFeatures * share * share);
      List<Integer> subset = new ArrayList<>(features.subList(0, size));
      Collections.sort(subset);
      BitSet bits = new BitSet(data.numAttributes());
      for (int i : subset) {
        bits.set(i);
      }
      subsets.add(subset.toString());
      values[draw] = evaluator.evaluateSubset(bits);
    }
    return "\"subsets\": " + subsets + ", \"consistency\": " + Arrays.toString(values);
  }

  static Instances firstFew(Instances data) {
    Instances few = new Instances(data);
    while (few.numAttributes() > FEW + 1) {
      few.deleteAttributeAt(FEW);
    }
    return few;
  }

  static String found(String name, ASSearch search, Instances data) throws Exception {
    ConsistencySubsetEval evaluator = new ConsistencySubsetEval();
    evaluator.buildEvaluator(data);
    int[] subset = search.search(evaluator, data);
    Arrays.sort(subset);
    BitSet bits = new BitSet(data.numAttributes());
    for (int i : subset) {
      bits.set(i);
    }
    String content = "\"subset\": " + Arrays.toString(subset) + ", \"consistency\": " + evaluator.evaluateSubset(bits);
    return "\"" + name + "\": {" + content + "}";
  }
}
