package dev.lightpath.app.publish.view;

import dev.lightpath.app.publish.status.FabricStatusProjector;
import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.SliceStatusProjector;
import dev.lightpath.app.publish.view.View.ConditionView;
import dev.lightpath.app.publish.view.View.DeviceView;
import dev.lightpath.app.publish.view.View.FabricView;
import dev.lightpath.app.publish.view.View.GroupView;
import dev.lightpath.app.publish.view.View.MemberView;
import dev.lightpath.app.publish.view.View.SliceView;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.planner.engine.circuits.WantedCircuits;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The view of an outcome, part by part. Linear in devices and members. */
final class ViewProjector {
    private ViewProjector() {}

    static View.Pass pass(Outcome outcome) {
        World world = outcome.world();
        Deliberation deliberation = outcome.deliberation();
        return new View.Pass(
                world.now().toString(),
                world.nextStage().epoch(),
                decision(deliberation.decision()),
                deliberation.remaining());
    }

    static View.Whole whole(Outcome outcome) {
        World world = outcome.world();
        List<FabricView> fabrics = new ArrayList<>();
        outcome.deliberation().fabrics().forEach((name, verdict) -> {
            RingIntent ring = world.rings().get(name);
            if (ring != null) {
                fabrics.add(fabric(world, ring, verdict));
            } else if (world.ocsFabrics().containsKey(name)) {
                fabrics.add(OcsViewProjector.fabric(outcome, name, verdict));
            }
        });
        return new View.Whole(
                world.inFlight().stream()
                        .map(stage -> new View.StageView(
                                stage.id().toString(),
                                stage.cause().name().toLowerCase(Locale.ROOT),
                                stage.devices().stream()
                                        .map(device -> device.device())
                                        .toList()))
                        .toList(),
                fabrics);
    }

    /** Slices that the view shows, counted by namespace. */
    static SortedMap<String, Integer> namespaces(Outcome outcome) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        outcome.deliberation().slices().keySet().stream()
                .filter(outcome.world().slices()::containsKey)
                .forEach(id -> counts.merge(id.namespace(), 1, Integer::sum));
        return counts;
    }

    static List<SliceView> slices(Outcome outcome, String namespace) {
        World world = outcome.world();
        List<SliceView> slices = new ArrayList<>();
        outcome.deliberation().slices().forEach((id, verdict) -> {
            SliceIntent intent = world.slices().get(id);
            if (intent != null && id.namespace().equals(namespace)) {
                slices.add(slice(world, intent, verdict));
            }
        });
        return slices;
    }

    private static String decision(Decision decision) {
        return switch (decision) {
            case Decision.Rest rest -> "rest";
            case Decision.Observe observe -> "observe";
            case Decision.Adopt adopt -> "adopt";
            case Decision.Apply apply -> "apply";
        };
    }

    private static FabricView fabric(World world, RingIntent ring, FabricVerdict verdict) {
        DriverState driver = world.driver(ring.driver());
        OpticalFabricStatus status = FabricStatusProjector.project(verdict, ring, driver, null, 0, world.now());
        return new FabricView(
                ring.name(),
                ring.ring().shape() == RingShape.RING ? "Ring" : "Line",
                ring.ring().positions(),
                ring.ring().reach(),
                ring.ring().gpusPerNode(),
                ring.paused(),
                new View.DriverView(
                        ring.driver(),
                        driver.name(),
                        driver.version(),
                        driver.synced(),
                        driver.highestEpoch(),
                        driver.problem().orElse(null)),
                conditions(status.conditions()),
                nodes(verdict),
                gpus(verdict),
                circuits(verdict),
                faults(verdict),
                verdict.foreign(),
                devices(world, ring, driver));
    }

    static View.Counts nodes(FabricVerdict verdict) {
        return new View.Counts(
                verdict.nodes().total(),
                verdict.nodes().healthy(),
                verdict.nodes().allocated());
    }

    static View.Counts gpus(FabricVerdict verdict) {
        return new View.Counts(
                verdict.gpus().total(), verdict.gpus().usable(), verdict.gpus().allocated());
    }

    static View.CircuitFigures circuits(FabricVerdict verdict) {
        return new View.CircuitFigures(
                verdict.circuits().planned(),
                verdict.circuits().lit(),
                verdict.circuits().foreign(),
                verdict.circuits().missing());
    }

    static List<View.FaultView> faults(FabricVerdict verdict) {
        return verdict.faults().stream()
                .map(fault -> new View.FaultView(
                        fault.subject().label(), fault.reason(), fault.since().toString(), fault.quarantined()))
                .toList();
    }

    private static List<DeviceView> devices(World world, RingIntent ring, DriverState driver) {
        Map<String, Integer> positions = new TreeMap<>();
        ring.nodes().forEach((position, node) -> positions.put(node.name(), position));
        SortedMap<String, CrossConnects> wanted = WantedCircuits.of(world, ring);
        List<DeviceView> devices = new ArrayList<>();
        wanted.forEach((device, circuits) -> devices.add(
                device(device, positions.get(device), circuits, driver.devices().get(device))));
        return devices;
    }

    static DeviceView device(
            String name, @Nullable Integer position, CrossConnects wanted, @Nullable DeviceState state) {
        CrossConnects observed = state == null ? CrossConnects.none() : state.circuits();
        return new DeviceView(
                name,
                position,
                presence(state),
                texts(wanted.circuits()),
                texts(observed.circuits()),
                texts(wanted.minus(observed)),
                texts(observed.minus(wanted)),
                null);
    }

    static String presence(@Nullable DeviceState state) {
        return state == null ? "unknown" : state.presence().name().toLowerCase(Locale.ROOT);
    }

    static List<String> texts(Collection<Circuit> circuits) {
        return circuits.stream().map(Circuit::toString).toList();
    }

    private static SliceView slice(World world, SliceIntent intent, SliceVerdict verdict) {
        FabricSliceStatus status = SliceStatusProjector.project(intent.id(), verdict, null, 0, world.now());
        Allocation allocation = verdict.allocation().orElse(null);
        return new SliceView(
                intent.id().namespace(),
                intent.id().name(),
                intent.job().name(),
                intent.attempt(),
                intent.fabric(),
                intent.demand().gpus(),
                intent.wanted(),
                allocation == null ? null : allocation.revision(),
                allocation == null ? List.of() : groups(allocation),
                allocation == null ? List.of() : List.copyOf(allocation.releasing()),
                status.programmed(),
                verdict.light().links(),
                verdict.light().qualifiedLinks(),
                conditions(status.conditions()));
    }

    private static List<GroupView> groups(Allocation allocation) {
        List<GroupView> groups = new ArrayList<>();
        for (Allocation.Group group : allocation.groups()) {
            groups.add(new GroupView(
                    groups.size(),
                    group.members().stream()
                            .map(member -> new MemberView(member.node(), member.position()))
                            .toList()));
        }
        return groups;
    }

    static List<ConditionView> conditions(List<Condition> conditions) {
        return conditions.stream().map(ConditionView::of).toList();
    }
}
