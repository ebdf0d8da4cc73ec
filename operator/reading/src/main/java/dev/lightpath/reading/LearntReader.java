package dev.lightpath.reading;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.measurement.LearntSpeeds;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.crds.job.measurement.ToldBy;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.learn.Learnt;
import dev.lightpath.planner.learn.MeasuredCircuits;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads what was learnt of a job's speeds, and what it was learnt from. */
public final class LearntReader {
    private LearntReader() {}

    /** What circuits of a job are chosen by. What cannot be read teaches nothing. */
    public static Speeds speeds(TrainingJob job) {
        TrainingJobStatus status = job.getStatus();
        return read(status == null ? null : status.measurement()).speeds();
    }

    /** What was learnt so far. */
    public static Learnt read(@Nullable Measurement of) {
        LearntSpeeds learnt = of == null ? null : of.learnt();
        String lacks = of == null ? "nothing was measured" : Objects.requireNonNullElse(of.lacks(), "");
        if (learnt == null) {
            return new Learnt.Nothing(lacks);
        }
        try {
            double compute = Double.parseDouble(learnt.computeShare());
            String link = learnt.linkShare();
            return link == null
                    ? new Learnt.GpusIfLinksHold(compute, lacks)
                    : new Learnt.Both(new Speeds(compute, Double.parseDouble(link)));
        } catch (IllegalArgumentException unreadable) {
            return new Learnt.Nothing("status.measurement.learnt cannot be read: " + unreadable.getMessage());
        }
    }

    /**
     * One set of circuits with its times.
     *
     * @throws IllegalArgumentException naming a time that is none
     */
    public static MeasuredCircuits set(dev.lightpath.crds.job.measurement.MeasuredCircuits of) {
        return new MeasuredCircuits(of.circuits(), seconds(of.seconds()));
    }

    /** @throws IllegalArgumentException naming a time that is none */
    public static List<Double> seconds(List<String> times) {
        return times.stream().map(Double::valueOf).toList();
    }

    /** Who told the latest value, as a clause for people; nothing of a job that tells it itself. */
    public static String teller(Measurement of) {
        return of.toldBy() == ToldBy.PROMETHEUS ? " by the query of its fabric" : "";
    }

    /** What was learnt, as a clause for people. */
    public static String words(Measurement of) {
        return switch (read(of)) {
            case Learnt.Nothing nothing -> "nothing is learnt from it yet: " + nothing.why();
            case Learnt.GpusIfLinksHold gpus ->
                "GPUs reach " + gpus.compute() + " times the TFLOP/s of the model if links are as fast as the fabric"
                        + " says: " + gpus.why();
            case Learnt.Both(Speeds speeds) ->
                "GPUs reach " + speeds.compute() + " times the TFLOP/s of the model and links " + speeds.link()
                        + " times the rate of the fabric, and circuits are chosen by that";
        };
    }
}
