package dev.lightpath.app.job.measured;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.measuring.QueriedTime;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.measurement.LearntSpeeds;
import dev.lightpath.crds.job.measurement.MeasuredCircuits;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.crds.job.measurement.ToldBy;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.learn.Learnt;
import dev.lightpath.planner.learn.QuestionModel;
import dev.lightpath.planner.learn.SpeedFit;
import dev.lightpath.planner.words.Words;
import dev.lightpath.reading.LearntReader;
import dev.lightpath.reading.label.Labels;
import dev.lightpath.reading.node.Remark;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was told of a job's iterations, by its annotation or by the query of its fabric. A value counts once, for the
 * circuits that the job has when it is read. What the annotation says when circuits change was measured with those
 * before, and does not count; of a query such values do not come here ({@link
 * dev.lightpath.app.measuring.QueriedTimes}).
 *
 * @param kept for the status; null before anything was told
 * @param nonsense why what is told now is not used
 */
public record Measurements(@Nullable Measurement kept, Optional<String> nonsense) {
    /** A value nearer than this to the median of enough others says nothing new: it is not written. */
    private static final double NEWS = 0.05;

    /** Beyond this a value is of another unit, or of no iteration. */
    private static final double FARTHEST = 1000;

    private static final String DECIMAL = "[0-9]{1,9}([.][0-9]{1,9})?";

    private static final Measurements NONE = new Measurements(null, Optional.empty());

    /**
     * @param model of its circuits; empty without a place, or where circuits do not follow traffic
     * @param lit whether its light burns: what was measured in the dark is no measurement
     */
    public static Measurements of(JobFacts facts, Optional<TrafficModel> model, boolean lit, SpeedFitting fitting) {
        @Nullable TrainingJobStatus status = facts.job().getStatus();
        @Nullable Measurement before = status == null ? null : status.measurement();
        if (model.isEmpty()) {
            // a job between two attempts has the same model: what was learnt counts for its next place
            return before == null ? NONE : new Measurements(resting(before), Optional.empty());
        }
        return of(
                told(facts).orElse(null),
                before,
                model.get(),
                lit,
                (question, fit) -> fitting.of(facts.job(), question, fit));
    }

    /** A job whose circuits do not follow its traffic has no prediction: what it tells is not used. */
    public static Optional<Verdict> withoutEffect(TrainingJob job) {
        @Nullable ScaleOut scaleOut = job.getSpec().scaleOut();
        return scaleOut != null && scaleOut.torus() == null
                ? Optional.empty()
                : Labels.annotation(job, LightpathAnnotations.ITERATION_SECONDS)
                        .map(seconds -> Verdict.fails(
                                Reason.NOT_SUPPORTED,
                                "metadata.annotations[" + LightpathAnnotations.ITERATION_SECONDS + "] is '"
                                        + Remark.of(seconds)
                                        + "' and has no effect: an iteration is predicted only of a job whose circuits"
                                        + " follow its traffic (spec.scaleOut without torus)"));
    }

    /** The annotation goes before the query: who writes it means this job. */
    private static Optional<Told> told(JobFacts facts) {
        return Labels.annotation(facts.job(), LightpathAnnotations.ITERATION_SECONDS)
                .map(Told::annotated)
                .or(() -> facts.queried().map(Told::queried));
    }

    private static Measurement resting(Measurement of) {
        return new Measurement(null, null, of.learnt(), of.lacks(), of.of(), of.told(), of.toldBy(), of.circuits());
    }

    /** Fits speeds to what was measured of one job. */
    @FunctionalInterface
    interface Fitting {
        Optional<Learnt> of(SpeedFitting.Question question, Supplier<Learnt> fit);
    }

    /**
     * A value that was told.
     *
     * @param where for people: what to correct
     */
    record Told(String seconds, ToldBy by, String where) {
        static Told annotated(String seconds) {
            return new Told(
                    seconds,
                    ToldBy.ANNOTATION,
                    "metadata.annotations[" + LightpathAnnotations.ITERATION_SECONDS + "] is");
        }

        static Told queried(QueriedTime time) {
            return new Told(
                    time.seconds(),
                    ToldBy.PROMETHEUS,
                    "spec.measurements.prometheus.query of OpticalFabric " + time.fabric() + " tells");
        }

        private String kept() {
            return Words.cut(seconds, 64);
        }
    }

    static Measurements of(
            @Nullable Told told, @Nullable Measurement before, TrafficModel model, boolean lit, Fitting fitting) {
        String digest = model.digest();
        if (before != null && !digest.equals(before.of())) {
            // of another iteration: what it says now may have been measured with that one
            return new Measurements(told == null ? null : said(digest, told), Optional.empty());
        }
        Optional<String> nonsense = told == null ? Optional.empty() : nonsense(told, model.predictedSeconds());
        if (before == null && (told == null || nonsense.isPresent())) {
            return new Measurements(null, nonsense);
        }
        if (before == null && told != null && !lit) {
            return new Measurements(said(digest, told), nonsense);
        }
        boolean dark = !lit && nonsense.isEmpty();
        List<MeasuredCircuits> sets = before == null ? List.of() : before.circuits();
        boolean anew = !sets.isEmpty() && !sets.getFirst().circuits().equals(kept(model.circuits()));
        List<String> times =
                anew || sets.isEmpty() ? timesOf(sets, model) : sets.getFirst().seconds();
        @Nullable
        String fresh = told != null
                        && lit
                        && nonsense.isEmpty()
                        && !anew
                        && (before == null || !told.kept().equals(before.told()))
                        && isNews(times, told.seconds())
                ? told.seconds()
                : null;
        if (fresh != null) {
            times = with(times, fresh);
        }
        List<MeasuredCircuits> now = fresh != null || anew || sets.isEmpty()
                ? first(sets, new MeasuredCircuits(kept(model.circuits()), times))
                : sets;
        @Nullable Told last = told != null && (fresh != null || anew || dark) ? told : null;
        @Nullable LearntSpeeds speeds = before == null ? null : before.learnt();
        @Nullable String lacks = before == null ? null : before.lacks();
        List<MeasuredCircuits> enough = enough(now);
        if (fresh != null || !enough.isEmpty()) {
            Optional<Learnt> learnt = learn(model, digest, enough, LearntReader.read(before), fitting);
            speeds = learnt.isPresent() ? written(learnt.get()) : speeds;
            lacks = learnt.isPresent() ? lacks(learnt.get()) : lacks;
        }
        @Nullable
        Double median = times.isEmpty()
                ? null
                : new dev.lightpath.planner.learn.MeasuredCircuits(model.circuits(), LearntReader.seconds(times))
                        .medianSeconds();
        return new Measurements(
                new Measurement(
                        median == null ? null : decimal(median, 6),
                        median == null ? null : decimal(median / model.predictedSeconds(), 3),
                        speeds,
                        lacks,
                        digest,
                        last != null ? last.kept() : before == null ? null : before.told(),
                        last != null ? last.by() : before == null ? null : before.toldBy(),
                        now),
                nonsense);
    }

    /** A value that does not count, now or later. */
    private static Measurement said(String digest, Told told) {
        return new Measurement(null, null, null, null, digest, told.kept(), told.by(), List.of());
    }

    /** Circuits that are measured again keep what was measured with them before. */
    private static List<String> timesOf(List<MeasuredCircuits> sets, TrafficModel model) {
        return sets.stream()
                .filter(set -> set.circuits().equals(kept(model.circuits())))
                .findFirst()
                .map(MeasuredCircuits::seconds)
                .orElse(List.of());
    }

    private static List<MeasuredCircuits> first(List<MeasuredCircuits> sets, MeasuredCircuits now) {
        List<MeasuredCircuits> all = new ArrayList<>(List.of(now));
        sets.stream()
                .filter(set ->
                        !set.circuits().equals(now.circuits()) && !set.seconds().isEmpty())
                .forEach(all::add);
        return all.subList(0, Math.min(Measurement.MOST_SETS, all.size()));
    }

    private static List<String> with(List<String> times, String told) {
        List<String> all = new ArrayList<>(times);
        all.add(told);
        return all.subList(Math.max(0, all.size() - MeasuredCircuits.MOST_TIMES), all.size());
    }

    /** Also true of what is no number. */
    static boolean isNews(List<String> times, String told) {
        if (times.size() < SpeedFit.LEAST_MEASUREMENTS) {
            return true;
        }
        double median = new dev.lightpath.planner.learn.MeasuredCircuits(List.of(), LearntReader.seconds(times))
                .medianSeconds();
        double seconds = told.matches(DECIMAL) ? Double.parseDouble(told) : Double.NaN;
        return !(Math.abs(seconds / median - 1) < NEWS);
    }

    private static List<MeasuredCircuits> enough(List<MeasuredCircuits> sets) {
        return sets.stream()
                .filter(set -> set.seconds().size() >= SpeedFit.LEAST_MEASUREMENTS)
                .toList();
    }

    /** Empty while it is being fitted. */
    private static Optional<Learnt> learn(
            TrafficModel model, String digest, List<MeasuredCircuits> sets, Learnt held, Fitting fitting) {
        int counts = model.circuits().size();
        if (counts > MeasuredCircuits.MOST_COUNTS) {
            return Optional.of(new Learnt.Nothing("the job has " + counts
                    + " counts of circuits; speeds are fitted for at most " + MeasuredCircuits.MOST_COUNTS));
        }
        List<MeasuredCircuits> usable =
                sets.stream().filter(set -> set.circuits().size() == counts).toList();
        return usable.isEmpty()
                ? Optional.of(SpeedFit.of((speeds, circuits) -> Double.NaN, List.of(), held))
                : fitting.of(new SpeedFitting.Question(digest, usable), () -> fit(model, usable, held));
    }

    private static Learnt fit(TrafficModel model, List<MeasuredCircuits> sets, Learnt held) {
        try {
            return QuestionModel.of(model.question())
                    .map(simulated -> SpeedFit.of(
                            simulated, sets.stream().map(LearntReader::set).toList(), held))
                    .orElseGet(() -> new Learnt.Nothing("its iteration is too long to be fitted"));
        } catch (IllegalArgumentException unreadable) {
            return new Learnt.Nothing(String.valueOf(unreadable.getMessage()));
        }
    }

    private static @Nullable LearntSpeeds written(Learnt learnt) {
        return switch (learnt) {
            case Learnt.Nothing nothing -> null;
            case Learnt.GpusIfLinksHold gpus -> new LearntSpeeds(decimal(gpus.compute(), 4), null);
            case Learnt.Both(Speeds speeds) ->
                new LearntSpeeds(decimal(speeds.compute(), 4), decimal(speeds.link(), 4));
        };
    }

    private static @Nullable String lacks(Learnt learnt) {
        return switch (learnt) {
            // the message of an iteration that cannot be simulated may be long
            case Learnt.Nothing nothing -> Words.cut(nothing.why(), 512);
            case Learnt.GpusIfLinksHold gpus -> gpus.why();
            case Learnt.Both both -> null;
        };
    }

    /** Why a value is no measurement, with what is allowed. */
    private static Optional<String> nonsense(Told told, double predictedSeconds) {
        boolean decimal = told.seconds().length() <= 19 && told.seconds().matches(DECIMAL);
        double seconds = decimal ? Double.parseDouble(told.seconds()) : 0;
        return seconds > 0 && seconds <= predictedSeconds * FARTHEST && seconds >= predictedSeconds / FARTHEST
                ? Optional.empty()
                : Optional.of(told.where() + " '" + Remark.of(told.seconds()) + "', allowed: seconds as a decimal from "
                        + decimal(predictedSeconds / FARTHEST, new MathContext(3, RoundingMode.CEILING)) + " to "
                        + decimal(predictedSeconds * FARTHEST, new MathContext(3, RoundingMode.FLOOR))
                        + ", within a thousand times of the prediction; it is not used");
    }

    /** How measurement and prediction stand; empty while nothing was told. */
    public Optional<Verdict> verdict() {
        if (nonsense.isPresent()) {
            return Optional.of(Verdict.fails(Reason.INVALID_MEASUREMENT, nonsense.get()));
        }
        return kept == null || kept.iterationSeconds() == null
                ? Optional.empty()
                : Optional.of(Verdict.holds("an iteration takes " + kept.iterationSeconds() + " s"
                        + LearntReader.teller(kept) + ", " + kept.ratio()
                        + " times as long as predicted; "
                        + LearntReader.words(kept)));
    }

    private static List<Integer> kept(List<Integer> circuits) {
        return circuits.subList(0, Math.min(MeasuredCircuits.MOST_COUNTS, circuits.size()));
    }

    private static String decimal(double value, int digits) {
        return decimal(value, new MathContext(digits));
    }

    private static String decimal(double value, MathContext digits) {
        return new BigDecimal(value).round(digits).stripTrailingZeros().toPlainString();
    }
}
