package dev.lightpath.app.job;

import dev.lightpath.crds.fabric.FabricPod;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.delta.Parallelism;
import dev.lightpath.reading.TrafficReader;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the recorded traffic of a job from its ConfigMap, until it has a place: then its slice decides. */
final class TrafficFactsReader {
    private final KubernetesClient client;

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
        Optional<RecordedTraffic> kept = kept(slices, source);
        if (kept.isPresent()) {
            return new TrafficFacts(kept, Optional.empty());
        }
        if (ocs == null || ocs.topology().logical() == null) {
            return TrafficFacts.none();
        }
        String namespace = job.getMetadata().getNamespace();
        @Nullable ConfigMap map = client.configMaps()
                .inNamespace(namespace)
                .withName(source.configMap())
                .get();
        if (map == null) {
            return problem(source, "there is none in namespace " + namespace + "; create it, and the job goes on");
        }
        try {
            return new TrafficFacts(
                    Optional.of(reader(job, scaleOut, ocs).read(source, content(map))), Optional.empty());
        } catch (IllegalArgumentException | ArithmeticException e) {
            return problem(source, String.valueOf(e.getMessage()));
        }
    }

    private static TrafficFacts problem(TrafficSource source, String why) {
        return new TrafficFacts(
                Optional.empty(),
                Optional.of("spec.scaleOut.traffic: ConfigMap " + source.configMap() + ": " + why));
    }

    /** What the newest slice that has a place was made with. */
    private static Optional<RecordedTraffic> kept(List<SliceFacts> slices, TrafficSource source) {
        return slices.stream()
                .filter(slice -> slice.allocation().isPresent())
                .flatMap(slice -> {
                    ScaleOutDemand demand = slice.demand().scaleOut();
                    return Optional.ofNullable(demand == null ? null : demand.recorded()).stream();
                })
                .filter(recorded -> recorded.configMap().equals(source.configMap())
                        && recorded.format() == source.format())
                .reduce((older, newer) -> newer);
    }

    private static TrafficSourceReader reader(TrainingJob job, ScaleOut scaleOut, Ocs ocs) {
        Parallelism parallelism = TrafficReader.parallelism(job.getSpec().parallelism());
        int smallest = ocs.pods().stream().mapToInt(FabricPod::gpus).min().orElse(0);
        int most = Math.max(1, Math.min(smallest / parallelism.gpusPerStage(), parallelism.pipeline()));
        Integer asked = scaleOut.stagesPerPod();
        return new TrafficSourceReader(
                parallelism,
                asked == null ? most : Math.min(asked, parallelism.pipeline()),
                Math.max(1, ocs.pods().stream().mapToInt(FabricPod::ports).max().orElse(1)),
                ocs.circuitGbps());
    }

    private static SortedMap<String, byte[]> content(ConfigMap map) {
        SortedMap<String, byte[]> content = new TreeMap<>();
        if (map.getData() != null) {
            map.getData().forEach((key, value) -> content.put(key, value.getBytes(StandardCharsets.UTF_8)));
        }
        if (map.getBinaryData() != null) {
            map.getBinaryData()
                    .forEach((key, value) -> content.put(key, Base64.getDecoder().decode(value)));
        }
        return content;
    }
}
