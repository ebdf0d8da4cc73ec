package dev.lightpath.app.job.reading;

import static java.util.Objects.requireNonNullElse;

import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.TrafficFacts;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.planner.words.Sha256;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the recorded traffic of a job from its ConfigMap, until it has a place: then its slice decides. */
public final class TrafficFactsReader {
    private final KubernetesClient client;
    private final ReadingMarks marks;
    private final TrafficReadings readings;

    public TrafficFactsReader(KubernetesClient client, ReadingMarks marks, TrafficReadings readings) {
        this.client = client;
        this.marks = marks;
        this.readings = readings;
    }

    /** What is known of it without reading it again. */
    public static TrafficFacts kept(TrainingJob job, List<SliceFacts> slices) {
        ScaleOut scaleOut = job.getSpec().scaleOut();
        TrafficSource source = scaleOut == null ? null : scaleOut.traffic();
        return source == null ? TrafficFacts.none() : TrafficFacts.of(kept(slices, source));
    }

    /**
     * What its ConfigMap says, as soon as it was read. Until then a slice that waits for a place stays as it is.
     *
     * @param fabric of scaleOut
     */
    public TrafficFacts read(TrainingJob job, List<SliceFacts> slices, Optional<OpticalFabric> fabric) {
        ScaleOut scaleOut = job.getSpec().scaleOut();
        TrafficSource source = scaleOut == null ? null : scaleOut.traffic();
        Ocs ocs = fabric.map(found -> found.getSpec().ocs()).orElse(null);
        if (source == null || ocs == null || ocs.topology().logical() == null) {
            return TrafficFacts.none();
        }
        String namespace = job.getMetadata().getNamespace();
        @Nullable ConfigMap map = map(namespace, source);
        TrafficSourceReader reader;
        try {
            reader = TrafficSourceReader.of(job.getSpec(), ocs);
        } catch (IllegalArgumentException e) {
            return refused(e);
        }
        if (map == null) {
            return read(reader, source, namespace, null);
        }
        TrafficReadings.Content content = new TrafficReadings.Content(namespace, digest(map), source, reader);
        ResourceID id = ResourceID.fromResource(job);
        return readings.of(content, id, () -> readMarked(content, id))
                .or(recorded(slices.stream().map(SliceFacts::demand), source));
    }

    private @Nullable ConfigMap map(String namespace, TrafficSource source) {
        return client.configMaps()
                .inNamespace(namespace)
                .withName(source.configMap())
                .get();
    }

    /** Read when it is its turn: what waits holds no content. */
    private TrafficReadings.Found readMarked(TrafficReadings.Content content, ResourceID job) {
        @Nullable ConfigMap map = map(content.namespace(), content.source());
        if (map == null || !digest(map).equals(content.digest())) {
            return new TrafficReadings.Found(Optional.empty(), false);
        }
        Optional<String> ended = marks.begin(content.digest(), content.namespace() + "/" + job.getName());
        if (ended.isPresent()) {
            // a person may take the mark away
            return new TrafficReadings.Found(
                    Optional.of(TrafficFacts.refused("spec.scaleOut.traffic: ConfigMap "
                            + content.source().configMap() + ": " + ended.get())),
                    true);
        }
        try {
            return new TrafficReadings.Found(
                    Optional.of(read(content.reader(), content.source(), content.namespace(), map)), false);
        } finally {
            marks.end(content.digest());
        }
    }

    /** The first 128 bits of SHA-256 over its keys and what they hold, each after its length, in hexadecimal digits. */
    private static String digest(ConfigMap map) {
        MessageDigest sha = Sha256.begin();
        for (Map<String, String> content : List.of(
                requireNonNullElse(map.getData(), Map.<String, String>of()),
                requireNonNullElse(map.getBinaryData(), Map.<String, String>of()))) {
            sha.update(ByteBuffer.allocate(4).putInt(0, content.size()));
            new TreeMap<>(content).forEach((key, value) -> {
                for (String text : List.of(key, value)) {
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    sha.update(ByteBuffer.allocate(4).putInt(0, bytes.length));
                    sha.update(bytes);
                }
            });
        }
        return HexFormat.of().formatHex(sha.digest(), 0, 16);
    }

    private static TrafficFacts read(
            TrafficSourceReader reader, TrafficSource source, String namespace, @Nullable ConfigMap map) {
        try {
            return TrafficFacts.of(Optional.of(reader.read(source, namespace, map)));
        } catch (IllegalArgumentException e) {
            return refused(e);
        }
    }

    private static TrafficFacts refused(IllegalArgumentException e) {
        return TrafficFacts.refused(String.valueOf(e.getMessage()));
    }

    /** What the newest slice that has a place was made with. */
    private static Optional<RecordedTraffic> kept(List<SliceFacts> slices, TrafficSource source) {
        return recorded(
                slices.stream().filter(slice -> slice.allocation().isPresent()).map(SliceFacts::demand), source);
    }

    private static Optional<RecordedTraffic> recorded(Stream<Demand> demands, TrafficSource source) {
        return demands.flatMap(demand -> Optional.ofNullable(demand.scaleOut()).stream())
                .flatMap(demand -> Optional.ofNullable(demand.recorded()).stream())
                .filter(recorded ->
                        recorded.configMap().equals(source.configMap()) && recorded.format() == source.format())
                .reduce((older, newer) -> newer);
    }
}
