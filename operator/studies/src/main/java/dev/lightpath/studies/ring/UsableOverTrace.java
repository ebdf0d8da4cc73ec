package dev.lightpath.studies.ring;

import dev.lightpath.studies.Study;
import dev.lightpath.studies.evaluation.Architecture;
import dev.lightpath.studies.evaluation.FaultTrace;
import dev.lightpath.studies.evaluation.TraceReplay;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** How long each number of usable GPUs lasted over the trace, by architecture and tensor size. */
final class UsableOverTrace {

    private record Key(Architecture architecture, int tensor) {}

    private final Map<Key, double[]> days = new HashMap<>();
    private final Map<Key, Double> least = new HashMap<>();

    private UsableOverTrace() {}

    static UsableOverTrace of(Study.Options options, Consumer<String> progress) {
        FaultTrace trace = TraceFile.read(options.trace());
        TraceReplay replay = new TraceReplay(trace, Cluster.NODES);
        UsableOverTrace usable = new UsableOverTrace();
        for (int mapping = 0; mapping < Cluster.MAPPINGS; mapping++) {
            Map<Key, Integer> leastHere = new HashMap<>();
            replay.replay(options.seed() + mapping, (span, faulty) -> usable.add(span, faulty, leastHere));
            leastHere.forEach((key, gpus) -> usable.least.merge(key, (double) gpus / Cluster.MAPPINGS, Double::sum));
            if (mapping % 50 == 49) {
                progress.accept((mapping + 1) + " of " + Cluster.MAPPINGS + " mappings");
            }
        }
        return usable;
    }

    private void add(double span, boolean[] faulty, Map<Key, Integer> leastHere) {
        for (Architecture architecture : Cluster.ARCHITECTURES) {
            for (int tensor : Cluster.TENSORS) {
                Key key = new Key(architecture, tensor);
                int gpus = architecture.usableGpus(faulty, Cluster.GPUS_PER_NODE, tensor);
                days.computeIfAbsent(key, unseen -> new double[Cluster.GPUS + 1])[gpus] += span;
                leastHere.merge(key, gpus, Math::min);
            }
        }
    }

    double meanOfLeast(Architecture architecture, int tensor) {
        return least.getOrDefault(new Key(architecture, tensor), 0.0);
    }

    /** Share of the time with fewer usable GPUs than requested. */
    double below(Architecture architecture, int tensor, int gpus) {
        double[] lasted = days.getOrDefault(new Key(architecture, tensor), new double[Cluster.GPUS + 1]);
        double below = 0;
        double all = 0;
        for (int usable = 0; usable < lasted.length; usable++) {
            all += lasted[usable];
            below += usable < gpus ? lasted[usable] : 0;
        }
        return all == 0 ? 0 : below / all;
    }

    /** The number of GPUs below which the usable ones are for this share of the time. */
    int quantile(Architecture architecture, int tensor, double share) {
        int gpus = 0;
        while (gpus < Cluster.GPUS && below(architecture, tensor, gpus + 1) <= share) {
            gpus++;
        }
        return gpus;
    }
}
