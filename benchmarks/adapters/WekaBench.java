import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import weka.attributeSelection.ASEvaluation;
import weka.attributeSelection.ASSearch;
import weka.attributeSelection.BestFirst;
import weka.attributeSelection.CfsSubsetEval;
import weka.attributeSelection.GreedyStepwise;
import weka.attributeSelection.InfoGainAttributeEval;
import weka.attributeSelection.Ranker;
import weka.attributeSelection.ReliefFAttributeEval;
import weka.core.Instances;

/** Arguments: method, ARFF file (class last). One run per line on stdin; prints "seconds pick pick …". */
public class WekaBench {
  public static void main(String[] arguments) throws Exception {
    Instances data = new Instances(new FileReader(arguments[1]));
    data.setClassIndex(data.numAttributes() - 1);
    System.out.println("ready");
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    while (lines.readLine() != null) {
      long start = System.nanoTime();
      int[] picks = pick(arguments[0], data);
      double seconds = (System.nanoTime() - start) / 1e9;
      StringBuilder shown = new StringBuilder().append(seconds);
      Arrays.stream(picks).forEach(pick -> shown.append(' ').append(pick));
      System.out.println(shown);
    }
  }

  static int[] pick(String method, Instances data) throws Exception {
    if (method.equals("information-gain")) {
      InfoGainAttributeEval gain = new InfoGainAttributeEval();
      gain.buildEvaluator(data);
      return new Ranker().search(gain, data);
    }
    if (method.equals("relieff")) {
      ReliefFAttributeEval relief = new ReliefFAttributeEval(); // all instances, ten neighbours, none weighted
      relief.buildEvaluator(data);
      return new Ranker().search(relief, data);
    }
    if (method.startsWith("svm-rfe")) { // options may follow; scales and solves to 1e-10 by itself
      String[] options = ("-Y 10" + method.substring("svm-rfe".length())).split(" ");
      // By name, because later versions lack it.
      ASEvaluation svm = ASEvaluation.forName("weka.attributeSelection.SVMAttributeEval", options);
      svm.buildEvaluator(data);
      return new Ranker().search(svm, data);
    }
    CfsSubsetEval cfs = new CfsSubsetEval();
    cfs.setOptions(new String[] {"-L"});
    cfs.buildEvaluator(data);
    ASSearch search = method.equals("cfs-greedy") ? new GreedyStepwise() : new BestFirst();
    return search.search(cfs, data);
  }
}
