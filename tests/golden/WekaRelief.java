import java.io.FileReader;
import java.util.Arrays;
import java.util.StringJoiner;
import weka.attributeSelection.ReliefFAttributeEval;
import weka.core.Instances;

/** Prints one JSON object per ARFF file given: ReliefF's weights under each set of options. The class is the last attribute. */
public class WekaRelief {
  static final String[] OPTIONS = {"-K 10", "-K 3", "-K 60", "-K 10 -W -A 2", "-K 10 -W -A 20", "-K 3 -W -A 2"};

  public static void main(String[] files) throws Exception {
    System.out.println("Weka " + new weka.core.Version());
    for (String file : files) {
      Instances data = new Instances(new FileReader(file));
      data.setClassIndex(data.numAttributes() - 1);
      StringJoiner parts = new StringJoiner(", ", "{", "}");
      for (String options : OPTIONS) {
        parts.add("\"" + options + "\": " + Arrays.toString(weights(data, options)));
      }
      System.out.println(parts);
    }
  }

  static double[] weights(Instances data, String options) throws Exception {
    ReliefFAttributeEval relief = new ReliefFAttributeEval();
    relief.setOptions(options.split(" "));
    relief.buildEvaluator(data);
    double[] weights = new double[data.numAttributes() - 1];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = relief.evaluateAttribute(i);
    }
    return weights;
  }
}
