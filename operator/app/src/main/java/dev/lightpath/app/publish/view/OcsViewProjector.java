package dev.lightpath.app.publish.view;

import dev.lightpath.app.publish.status.OcsStatusProjector;
import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.view.View.DeviceView;
import dev.lightpath.app.publish.view.View.FabricView;
import dev.lightpath.console.ReadBack;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.engine.circuits.WantedCircuits;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A fabric of optical switches as the view shows it. */
final class OcsViewProjector {
    private OcsViewProjector() {}

    static FabricView fabric(Outcome outcome, String name, FabricVerdict verdict) {
        World world = outcome.world();
        OcsIntent spine = Objects.requireNonNull(world.ocsFabrics().get(name));
        OpticalFabricStatus status = OcsStatusProjector.project(outcome, name, null, 0, world.now());
        String endpoint = spine.drivers().isEmpty() ? "" : spine.drivers().first();
        DriverState driver = world.driver(endpoint);
        return new FabricView(
                name,
                switch (spine.topology()) {
                    case OcsTopology.Logical logical -> "Logical";
                    case OcsTopology.PolarFly polarFly -> "PolarFly";
                    case OcsTopology.TwistedTorus torus -> "TwistedTorus";
                },
                spine.pods().size(),
                0,
                0,
                spine.paused(),
                new View.DriverView(
                        endpoint,
                        driver.name(),
                        driver.version(),
                        driver.synced(),
                        driver.highestEpoch(),
                        driver.problem().orElse(null)),
                ViewProjector.conditions(status.conditions()),
                ViewProjector.nodes(verdict),
                ViewProjector.gpus(verdict),
                ViewProjector.circuits(verdict),
                ViewProjector.faults(verdict),
                verdict.foreign(),
                devices(world, spine));
    }

    private static List<DeviceView> devices(World world, OcsIntent spine) {
        SortedMap<String, CrossConnects> wanted = WantedCircuits.of(world, spine);
        List<DeviceView> devices = new ArrayList<>();
        spine.switches().values().forEach(of -> {
            DeviceState state = world.device(of.device()).orElse(null);
            devices.add(ViewProjector.device(
                            of.name(),
                            of.plane().isPresent() ? of.plane().getAsInt() : null,
                            wanted.getOrDefault(of.name(), CrossConnects.none()),
                            state)
                    .with(measured(state)));
        });
        return devices;
    }

    static Map<String, ReadBack.PortPower> measured(@Nullable DeviceState state) {
        Map<String, ReadBack.PortPower> measured = new TreeMap<>();
        if (state != null) {
            state.lossDb().forEach((port, loss) -> measured.put(port, new ReadBack.PortPower(null, loss)));
            state.light().forEach((port, light) -> {
                if (light.receivedPowerDbm().isPresent()) {
                    measured.put(
                            port,
                            new ReadBack.PortPower(
                                    light.receivedPowerDbm().getAsDouble(),
                                    state.lossDb().get(port)));
                }
            });
        }
        return measured;
    }
}
