package dev.lightpath.studies.ring;

import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import dev.lightpath.studies.evaluation.TrainingModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The best division of the GPUs and its model FLOPs utilisation, by an analytic model. */
final class MfuStudy {

    private static final int MOST_TENSOR = 128;
    private static final int NODE = 8;

    private record Printed(int gpus, String division, double mfu, double mfuInNode) {}

    private static final List<Printed> TABLE_TWO = List.of(
            new Printed(1024, "16/4/16", 0.5236, 0.5217),
            new Printed(4096, "16/8/32", 0.4668, 0.4282),
            new Printed(8192, "32/8/32", 0.4247, 0.3512),
            new Printed(16_384, "32/16/32", 0.3756, 0.2584),
            new Printed(32_768, "32/16/64", 0.3090, 0.1690),
            new Printed(65_536, "64/16/64", 0.2493, 0.0999),
            new Printed(131_072, "64/16/128", 0.1851, 0.0550));

    private static final List<Printed> TABLE_FIVE = List.of(
            new Printed(1024, "16/4/16", 0.4276, 0),
            new Printed(2048, "16/8/16", 0.4140, 0),
            new Printed(4096, "32/8/16", 0.3894, 0),
            new Printed(8192, "32/16/16", 0.3656, 0),
            new Printed(16_384, "64/16/16", 0.3116, 0));

    private static final double[] TABLE_FOUR = {0.315, 0.305, 0.298, 0.288};
    private static final double TABLE_FOUR_TENSOR = 0.312;

    private MfuStudy() {}

    static StudyTable run(Study.Options options, Consumer<String> progress) {
        TrainingModel llama = TrainingModel.llama405b();
        TrainingModel moe = TrainingModel.gptMoe();
        List<List<Object>> rows = new ArrayList<>();
        List<Chart.Point> any = new ArrayList<>();
        List<Chart.Point> inNode = new ArrayList<>();
        for (Printed printed : TABLE_TWO) {
            TrainingModel.Division best = llama.best(printed.gpus(), MOST_TENSOR);
            TrainingModel.Division small = llama.best(printed.gpus(), NODE);
            rows.add(row("Table 2", "Llama 3.1 405B", printed.gpus(), best, printed.division(), printed.mfu()));
            rows.add(row("Table 2, tensor <= 8", "Llama 3.1 405B", printed.gpus(), small, "", printed.mfuInNode()));
            any.add(new Chart.Point(Math.log(printed.gpus()) / Math.log(2), best.mfu()));
            inNode.add(new Chart.Point(Math.log(printed.gpus()) / Math.log(2), small.mfu()));
        }
        for (Printed printed : TABLE_FIVE) {
            TrainingModel.Division best = moe.best(printed.gpus(), MOST_TENSOR);
            rows.add(row("Table 5", "GPT-MoE 1.1T", printed.gpus(), best, printed.division(), printed.mfu()));
        }
        rows.add(List.of(
                "Table 4, tensor",
                "GPT-MoE 1.1T",
                16_384,
                "64/16/16",
                moe.mfu(64, 16, 16, 1, 0),
                "",
                TABLE_FOUR_TENSOR));
        for (int i = 0; i < TABLE_FOUR.length; i++) {
            rows.add(List.of(
                    "Table 4, expert, imbalance " + 10 * i + " %",
                    "GPT-MoE 1.1T",
                    16_384,
                    "64/16/16",
                    moe.mfu(64, 16, 16, 8, i / 10.0),
                    "",
                    TABLE_FOUR[i]));
        }
        progress.accept("divisions: done");
        return new StudyTable(
                "Model FLOPs utilisation of the best division tensor/pipeline/data, analytic model",
                List.of("setting", "model", "gpus", "division", "mfu", "paperDivision", "paper"),
                rows,
                List.of(
                        "H100 at 989 TFLOPS and 80 GiB, ring at 6.4 Tbps and the paper's measured 77.11 %, data-centre"
                                + " network 400 Gbps",
                        "matrix products run at 65 % of peak, less for short ones (rows / (rows + 200)); tensor"
                                + " reductions (four per layer) and gradients (bf16) are not hidden; bubble (stages - 1)"
                                + " / virtual stages; 24 bytes of activation per token, hidden unit and layer",
                        "the paper's simulator is not published: agreement is to be read in the trend and the best"
                                + " tensor size, not in digits",
                        "Table 4 prints no GPU count; 16384 is assumed because its tensor figure is that row of"
                                + " Table 5"),
                Optional.of(new Chart(
                        "MFU of Llama 3.1 405B",
                        "log2 GPUs",
                        "MFU",
                        List.of(new Chart.Series("any tensor size", any), new Chart.Series("tensor <= 8", inNode)))));
    }

    private static List<Object> row(
            String setting, String model, int gpus, TrainingModel.Division ours, String division, double paper) {
        String text = ours.tensor() + "/" + ours.pipeline() + "/" + ours.data();
        return List.of(setting, model, gpus, text, ours.mfu(), division, paper);
    }
}
