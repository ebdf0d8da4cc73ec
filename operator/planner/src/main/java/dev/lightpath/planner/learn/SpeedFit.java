package dev.lightpath.planner.learn;

import dev.lightpath.planner.ask.Speeds;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Fits the speeds of GPUs and links to measured iterations.
 *
 * <p>Computing takes 1 / compute times as long as the model says, sending 1 / link times as long. Only their ratio q =
 * link / compute decides which of two sets of circuits is how much faster, since time(compute, link) = time(1, q) /
 * compute. So at one set of circuits each q has a speed of GPUs that fits exactly: one number can be known there, not
 * two. It is the speed of GPUs that is told then. The rate of a circuit is a property of devices that an administrator
 * wrote down; sustained TFLOP/s are a guess of the job's owner.
 *
 * <p>With two sets of circuits or more, least squares of logarithms: for each q the best compute is the geometric mean
 * of time(1, q) / measured, and what is left is the misfit. A grid over q is refined around its best point. Each set
 * counts once, by its median. The answer counts only if q is known within {@link #SHARPEST}: all q whose misfit is
 * within {@link #NOISE} of the best one lie together. Else the circuits were too much alike, or the links hide behind
 * the computing.
 */
public final class SpeedFit {
    /** Measurements of a set of circuits before it counts: the median of three withstands one that is wrong. */
    public static final int LEAST_MEASUREMENTS = 3;

    /** Sets of circuits before both speeds can be known. */
    public static final int LEAST_SETS = 2;

    /**
     * What was learnt stays while it explains each set within this share, so that noise does not move circuits. It is
     * three times the noise of a median of three where a single measurement has a noise of 5 percent. Other speeds have
     * to explain each set within it too.
     */
    public static final double HELD_WITHIN = 0.10;

    /**
     * Up to this share it also stays if no other speeds leave at most half of the misfit. Where no speeds explain the
     * sets well, the misfit may lie at {@link #HELD_WITHIN} for long, and each crossing would be other circuits.
     */
    public static final double HELD_AT_MOST = 0.15;

    /** By how much noise may change the misfit, relative: medians of three that are off by 2 percent each. */
    private static final double NOISE = 0.02;

    /** How far the largest and the smallest q that the measurements allow may lie apart. */
    private static final double SHARPEST = 2;

    private static final int GRID = 16;
    private static final int REFINEMENTS = 24;
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final IterationModel model;
    private final List<MeasuredCircuits> sets;
    private final double[] measured;
    private final Map<Double, Point> points = new HashMap<>();

    /** The best compute for a q, and the largest deviation of a set that is left, in logarithms. */
    private record Point(double compute, double misfit, double squares) {}

    /** @param misfit largest deviation of a set, in logarithms; infinite where not both speeds are known */
    private record Fitted(Learnt learnt, double misfit) {}

    private SpeedFit(IterationModel model, List<MeasuredCircuits> sets) {
        this.model = model;
        this.sets = sets;
        this.measured = sets.stream()
                .mapToDouble(each -> Math.log(each.medianSeconds()))
                .toArray();
    }

    /**
     * What the measurements say. At most 70 times the number of sets evaluations of the model, all of one q together.
     *
     * @param held what was learnt before: kept while it explains the measurements
     */
    public static Learnt of(IterationModel model, List<MeasuredCircuits> measured, Learnt held) {
        List<MeasuredCircuits> sets = measured.stream()
                .filter(each -> each.seconds().size() >= LEAST_MEASUREMENTS)
                .toList();
        if (sets.isEmpty()) {
            return held instanceof Learnt.Both
                    ? held
                    : new Learnt.Nothing("it takes " + LEAST_MEASUREMENTS + " measurements with the same circuits");
        }
        double misfit =
                held instanceof Learnt.Both both ? misfit(model, sets, both.speeds()) : Double.POSITIVE_INFINITY;
        if (misfit <= Math.log1p(HELD_WITHIN)) {
            return held;
        }
        SpeedFit fit = new SpeedFit(model, sets);
        Fitted found = sets.size() < LEAST_SETS
                ? new Fitted(
                        fit.gpus("both speeds are known after " + LEAST_MEASUREMENTS
                                + " measurements with other circuits"),
                        Double.POSITIVE_INFINITY)
                : fit.both();
        return misfit <= Math.log1p(HELD_AT_MOST) && found.misfit() > misfit / 2 ? held : found.learnt();
    }

    /** The largest deviation of a set, in logarithms. */
    private static double misfit(IterationModel model, List<MeasuredCircuits> sets, Speeds speeds) {
        return sets.stream()
                .mapToDouble(each -> Math.abs(Math.log(each.medianSeconds() / model.seconds(speeds, each.circuits()))))
                .max()
                .orElse(0);
    }

    /** The speed of GPUs at which the latest set fits. Time falls with it, so it is found by halving. */
    private Learnt gpus(String why) {
        List<Integer> circuits = sets.getFirst().circuits();
        double seconds = sets.getFirst().medianSeconds();
        if (seconds > model.seconds(new Speeds(Speeds.LEAST, 1), circuits)
                || seconds < model.seconds(new Speeds(Speeds.MOST, 1), circuits)) {
            return new Learnt.Nothing("no speed of GPUs explains " + rounded(seconds) + " s; " + why);
        }
        double low = Math.log(Speeds.LEAST);
        double high = Math.log(Speeds.MOST);
        for (int i = 0; i < REFINEMENTS; i++) {
            double middle = (low + high) / 2;
            if (model.seconds(new Speeds(Math.exp(middle), 1), circuits) > seconds) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new Learnt.GpusIfLinksHold(rounded(Math.exp((low + high) / 2)), why);
    }

    private Fitted both() {
        double bound = Math.log(Speeds.MOST);
        double step = bound / GRID;
        double best = 0;
        List<Double> grid = new ArrayList<>();
        for (int i = -GRID; i <= GRID; i++) {
            double q = i * step;
            grid.add(q);
            best = at(q).squares() < at(best).squares() ? q : best;
        }
        double q = refined(Math.max(-bound, best - step), Math.min(bound, best + step));
        q = at(q).squares() <= at(best).squares() ? q : best;
        Point found = at(q);
        if (found.misfit() > Math.log1p(HELD_WITHIN)) {
            return onlyGpus("no two speeds explain the measurements of different circuits within "
                    + Math.round(100 * HELD_WITHIN) + " %");
        }
        double near = found.misfit() + NOISE;
        double low = q;
        double high = q;
        for (double each : grid) {
            if (at(each).misfit() <= near) {
                low = Math.min(low, each);
                high = Math.max(high, each);
            }
        }
        if (high - low > Math.log(SHARPEST)) {
            return onlyGpus("the circuits measured so far differ too little to tell GPUs from links");
        }
        double compute = found.compute();
        double link = compute * Math.exp(q);
        return inBounds(compute) && inBounds(link)
                ? new Fitted(new Learnt.Both(new Speeds(rounded(compute), rounded(link))), found.misfit())
                : onlyGpus(
                        "the speeds that would explain them are more than " + Math.round(Speeds.MOST) + " times off");
    }

    private Fitted onlyGpus(String why) {
        return new Fitted(gpus(why), Double.POSITIVE_INFINITY);
    }

    private static boolean inBounds(double share) {
        return share > Speeds.LEAST && share < Speeds.MOST;
    }

    /** Golden section: the least squares between two q, where there is one minimum. */
    private double refined(double from, double to) {
        double low = from;
        double high = to;
        double left = high - GOLDEN * (high - low);
        double right = low + GOLDEN * (high - low);
        for (int i = 0; i < REFINEMENTS; i++) {
            if (at(left).squares() <= at(right).squares()) {
                high = right;
                right = left;
                left = high - GOLDEN * (high - low);
            } else {
                low = left;
                left = right;
                right = low + GOLDEN * (high - low);
            }
        }
        return (low + high) / 2;
    }

    private Point at(double logQ) {
        return points.computeIfAbsent(logQ, this::point);
    }

    private Point point(double logQ) {
        double[] off = new double[measured.length];
        // half of q on either side keeps both speeds within their bounds
        Speeds speeds = new Speeds(within(Math.exp(-logQ / 2)), within(Math.exp(logQ / 2)));
        double mean = 0;
        for (int i = 0; i < off.length; i++) {
            off[i] = Math.log(model.seconds(speeds, sets.get(i).circuits())) - measured[i];
            mean += off[i] / off.length;
        }
        double squares = 0;
        double most = 0;
        for (double each : off) {
            squares += (each - mean) * (each - mean);
            most = Math.max(most, Math.abs(each - mean));
        }
        return new Point(speeds.compute() * Math.exp(mean), most, squares);
    }

    private static double within(double share) {
        return Math.clamp(share, Speeds.LEAST, Speeds.MOST);
    }

    /** Four digits: more are noise, and a record shows them. */
    private static double rounded(double value) {
        return new BigDecimal(value).round(new MathContext(4)).doubleValue();
    }
}
