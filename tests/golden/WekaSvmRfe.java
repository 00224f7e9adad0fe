import java.io.FileReader;
import java.util.Arrays;
import java.util.StringJoiner;
import weka.attributeSelection.Ranker;
import weka.attributeSelection.SVMAttributeEval;
import weka.core.Instances;

/** Prints one JSON object per ARFF file given: SVM-RFE's order, best first, under each set of options. The class is the last attribute. */
public class WekaSvmRfe {
  static final String[] OPTIONS = {
    "-X 1", "-X 1 -C 0.01", "-X 1 -C 100", "-X 1 -N 1", "-X 1 -N 2", "-X 3", "-Y 10", "-Y 10 -Z 15"
  };

  public static void main(String[] files) throws Exception {
    System.out.println("Weka " + weka.core.Version.VERSION);
    for (String file : files) {
      Instances data = new Instances(new FileReader(file));
      data.setClassIndex(data.numAttributes() - 1);
      StringJoiner parts = new StringJoiner(", ", "{", "}");
      for (String options : OPTIONS) {
        parts.add("\"" + options + "\": " + Arrays.toString(order(data, options)));
      }
      System.out.println(parts);
    }
  }

  static int[] order(Instances data, String options) throws Exception {
    SVMAttributeEval svm = new SVMAttributeEval(); // tolerance 1e-10 and epsilon 1e-25 unless told otherwise
    svm.setOptions(options.split(" "));
    svm.buildEvaluator(data);
    return new Ranker().search(svm, data);
  }
}
