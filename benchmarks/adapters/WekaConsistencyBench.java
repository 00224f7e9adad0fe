import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import weka.attributeSelection.ConsistencySubsetEval;
import weka.attributeSelection.GreedyStepwise;
import weka.core.Instances;

/**
 * Arguments: "evaluate" or "search", ARFF file (class last), and for the first a file of subsets, one line each.
 * Prints "seconds value value …", the seconds of one evaluation, or "seconds pick pick …" of a backward search: those
 * of the processor in this thread, without compiler and collector, the best of a few rounds.
 */
public class WekaConsistencyBench {
  static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  static final double ENOUGH_SECONDS = 2.0;
  static final int MOST_ROUNDS = 9;

  public static void main(String[] arguments) throws Exception {
    Instances data = new Instances(new FileReader(arguments[1]));
    data.setClassIndex(data.numAttributes() - 1);
    List<BitSet> subsets = arguments[0].equals("evaluate") ? read(arguments[2]) : null;
    double[] answers = null;
    double best = Double.MAX_VALUE;
    double spent = 0;
    for (int round = 0; round < MOST_ROUNDS && (round < 2 || spent < ENOUGH_SECONDS); round++) {
      long start = CLOCK.getCurrentThreadCpuTime();
      answers = subsets == null ? search(data) : evaluate(data, subsets);
      double seconds = (CLOCK.getCurrentThreadCpuTime() - start) / 1e9;
      best = Math.min(best, seconds);
      spent += seconds;
    }
    StringBuilder shown = new StringBuilder().append(subsets == null ? best : best / subsets.size());
    Arrays.stream(answers).forEach(answer -> shown.append(' ').append(answer));
    System.out.println(shown);
  }

  static List<BitSet> read(String file) throws Exception {
    List<BitSet> subsets = new ArrayList<>();
    try (BufferedReader lines = new BufferedReader(new FileReader(file))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        BitSet subset = new BitSet();
        Arrays.stream(line.trim().split(" ")).forEach(feature -> subset.set(Integer.parseInt(feature)));
        subsets.add(subset);
      }
    }
    return subsets;
  }

  static double[] evaluate(Instances data, List<BitSet> subsets) throws Exception {
    ConsistencySubsetEval evaluator = new ConsistencySubsetEval();
    evaluator.buildEvaluator(data);
    double[] values = new double[subsets.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = evaluator.evaluateSubset(subsets.get(i));
    }
    return values;
  }

  static double[] search(Instances data) throws Exception {
    ConsistencySubsetEval evaluator = new ConsistencySubsetEval();
    evaluator.buildEvaluator(data);
    GreedyStepwise backward = new GreedyStepwise();
    backward.setSearchBackwards(true);
    return Arrays.stream(backward.search(evaluator, data)).asDoubleStream().toArray();
  }
}
