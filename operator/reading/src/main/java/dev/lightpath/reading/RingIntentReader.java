package dev.lightpath.reading;

import static java.util.Objects.requireNonNullElse;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.fabric.Shape;
import dev.lightpath.crds.fabric.policy.FabricPolicy;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.RecordedFaults;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.reading.label.Labels;
import dev.lightpath.reading.node.RingNodes;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a fabric of transceivers as its administrator wrote it and its Nodes bear it out. */
public final class RingIntentReader {
    private final String clusterUid;

    /** @param clusterUid UID of the namespace kube-system: names this cluster to drivers that several clusters share */
    public RingIntentReader(String clusterUid) {
        this.clusterUid = clusterUid;
    }

    /** Under which light of the fabric is held at its driver. */
    public String role(OpticalFabric fabric) {
        return clusterUid + "/" + fabric.getMetadata().getName();
    }

    /**
     * Linear in nodes. Nodes that are not selected are not of it; those whose label is no position of the fabric are
     * told of.
     *
     * @param busy by resource, names of nodes of which pods of others hold GPUs
     * @return empty when the fabric is not one of transceivers
     * @throws IllegalArgumentException when its geometry is impossible, naming the field
     */
    public Optional<RingIntent> read(
            OpticalFabric fabric, Collection<Node> nodes, Map<String, ? extends Set<String>> busy) {
        return read(fabric, nodes, busy, new RingNodes());
    }

    /**
     * The same, looking closely only at nodes that are not remembered: constant in the others while none comes, goes or
     * moves.
     *
     * @param remembered of this fabric; takes in what is read
     */
    public Optional<RingIntent> read(
            OpticalFabric fabric,
            Collection<Node> nodes,
            Map<String, ? extends Set<String>> busy,
            RingNodes remembered) {
        OcsTrx spec = fabric.getSpec().ocsTrx();
        if (spec == null) {
            return Optional.empty();
        }
        FabricPolicy policy = fabric.getSpec().policy();
        RingNodes.Seats said = remembered.seated(nodes, spec, policy);
        RingFabric ring = ring(fabric, spec, said.at());
        Set<String> busyNodes = requireNonNullElse(busy.get(spec.gpuResource()), Set.of());
        RingNodes.Layout laid = remembered.laidOut(ring, busyNodes);
        return Optional.of(new RingIntent(
                fabric.getMetadata().getName(),
                ring,
                spec.driver().endpoint(),
                role(fabric),
                laid.nodes(),
                laid.miswired(),
                laid.astray(),
                PolicyReader.read(fabric),
                fabric.getSpec().paused(),
                Labels.moment(fabric, LightpathAnnotations.RESUME_AFTER_MASS_FAILURE),
                fabric.getMetadata().getDeletionTimestamp() != null,
                laid.mismatch(),
                fabric.getStatus() == null
                        ? new TreeSet<>()
                        : new TreeSet<>(fabric.getStatus().quarantinedPorts()),
                told(fabric.getStatus())));
    }

    /** The faults that an earlier process told of, without what cannot be read of them. */
    static RecordedFaults told(@Nullable OpticalFabricStatus status) {
        if (status == null) {
            return RecordedFaults.none();
        }
        List<Fault> told = new ArrayList<>();
        for (FaultRecord record : status.faults()) {
            Optional<Subject> subject = Subject.labelled(record.subject());
            Optional<Instant> since = Labels.instant(record.since());
            if (subject.isPresent() && since.isPresent()) {
                told.add(new Fault(
                        subject.get(),
                        record.reason(),
                        since.get(),
                        Boolean.TRUE.equals(record.quarantined()),
                        requireNonNullElse(record.message(), "")));
            }
        }
        boolean massFailure = status.conditions().stream()
                .anyMatch(condition -> ConditionType.READY.word().equals(condition.getType())
                        && Reason.MASS_FAILURE.word().equals(condition.getReason()));
        return new RecordedFaults(told, status.faults().size() < OpticalFabricStatus.MOST_FAULTS, massFailure);
    }

    private static RingFabric ring(OpticalFabric fabric, OcsTrx spec, SortedMap<Integer, ? extends List<?>> seats) {
        boolean line = spec.shape() == Shape.LINE;
        int nodesPerTor = Objects.requireNonNull(spec.nodesPerTor());
        Integer written = spec.positions();
        int positions = written == null ? grown(fabric, spec, seats, nodesPerTor) : written;
        Integer aggregation = spec.nodesPerAggregation();
        return new RingFabric(
                line ? RingShape.LINE : RingShape.RING,
                positions,
                spec.reach(),
                spec.gpusPerNode(),
                nodesPerTor,
                aggregation == null ? positions : aggregation);
    }

    /** A line without a written length reaches to the highest label ever seen, in whole racks. */
    private static int grown(
            OpticalFabric fabric, OcsTrx spec, SortedMap<Integer, ? extends List<?>> seats, int nodesPerTor) {
        OpticalFabricStatus status = fabric.getStatus();
        int seen = status == null ? 0 : requireNonNullElse(status.positions(), 0);
        int labelled = seats.isEmpty() ? 0 : seats.lastKey() + 1;
        int unit = requireNonNullElse(spec.nodesPerAggregation(), nodesPerTor);
        int units = Math.max(1, Math.ceilDiv(Math.max(seen, labelled), unit));
        return units * unit;
    }
}
