package dev.lightpath.app.job;

import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.reading.SliceIntentReader;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the recorded traffic of a job from its ConfigMap, until it has a place: then its slice decides. */
final class TrafficFactsReader {
    private final KubernetesClient client;
    private final TrafficReadings readings = new TrafficReadings();

    TrafficFactsReader(KubernetesClient client) {
        this.client = client;
    }

    TrafficFacts read(TrainingJob job, List<SliceFacts> slices, Optional<OpticalFabric> fabric) {
        ScaleOut scaleOut = job.getSpec().scaleOut();
        TrafficSource source = scaleOut == null ? null : scaleOut.traffic();
        Ocs ocs = fabric.map(found -> found.getSpec().ocs()).orElse(null);
        if (scaleOut == null || source == null) {
            return TrafficFacts.none();
        }
        Optional<RecordedTraffic> kept = kept(job, slices, source);
        if (kept.isPresent()) {
            return new TrafficFacts(kept, Optional.empty());
        }
        if (ocs == null || ocs.topology().logical() == null) {
            return TrafficFacts.none();
        }
        String namespace = job.getMetadata().getNamespace();
        @Nullable
        ConfigMap map = client.configMaps()
                .inNamespace(namespace)
                .withName(source.configMap())
                .get();
        TrafficSourceReader reader;
        try {
            reader = TrafficSourceReader.of(job.getSpec(), ocs);
        } catch (IllegalArgumentException e) {
            return refused(e);
        }
        return map == null
                ? read(reader, source, namespace, null)
                : readings.of(
                        new TrafficReadings.Version(
                                map.getMetadata().getUid(), map.getMetadata().getResourceVersion(), source, reader),
                        () -> read(reader, source, namespace, map));
    }

    private static TrafficFacts read(
            TrafficSourceReader reader, TrafficSource source, String namespace, @Nullable ConfigMap map) {
        try {
            return new TrafficFacts(Optional.of(reader.read(source, namespace, map)), Optional.empty());
        } catch (IllegalArgumentException e) {
            return refused(e);
        }
    }

    private static TrafficFacts refused(IllegalArgumentException e) {
        return new TrafficFacts(Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
    }

    /** What the newest slice that has a place was made with, or one that is being written again. */
    private static Optional<RecordedTraffic> kept(TrainingJob job, List<SliceFacts> slices, TrafficSource source) {
        Stream<Demand> carried =
                SliceIntentReader.carried(job).stream().flatMap(of -> SliceIntentReader.demanded(of).stream());
        Stream<Demand> placed =
                slices.stream().filter(slice -> slice.allocation().isPresent()).map(SliceFacts::demand);
        return Stream.concat(carried, placed)
                .flatMap(demand -> Optional.ofNullable(demand.scaleOut()).stream())
                .flatMap(demand -> Optional.ofNullable(demand.recorded()).stream())
                .filter(recorded ->
                        recorded.configMap().equals(source.configMap()) && recorded.format() == source.format())
                .reduce((older, newer) -> newer);
    }
}
