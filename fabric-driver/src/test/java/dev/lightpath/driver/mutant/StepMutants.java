package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Streams on which something that ports measure stays as it was at first. */
final class StepMutants {
    private StepMutants() {}

    private static final class Frozen extends Mutant {
        private final Map<String, PortStatus> first = new ConcurrentHashMap<>();
        private final BiConsumer<PortStatus, PortStatus.Builder> freeze;

        Frozen(String bug, String requirement, BiConsumer<PortStatus, PortStatus.Builder> freeze) {
            super(bug, requirement);
            this.freeze = freeze;
        }

        @Override
        List<WatchResponse> told(WatchResponse message) {
            message.getSnapshot().getPortsList().forEach(port -> first.putIfAbsent(port.getPort(), port));
            if (!message.hasPortsChanged()) {
                return List.of(message);
            }
            WatchResponse.Builder frozen = message.toBuilder();
            frozen.getPortsChangedBuilder().getPortsBuilderList().forEach(port -> {
                PortStatus before = first.get(port.getPort());
                if (before != null) {
                    freeze.accept(before, port);
                }
            });
            return List.of(frozen.build());
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Frozen(
                        "tells of no weaker light",
                        "stream/receive-power",
                        (before, port) -> port.setReceivePowerDbm(before.getReceivePowerDbm())),
                new Frozen(
                        "tells of no bit errors",
                        "stream/bit-errors",
                        (before, port) -> port.setPreFecBitErrorRatio(before.getPreFecBitErrorRatio())),
                new Frozen(
                        "tells of no temperature",
                        "stream/temperature",
                        (before, port) -> port.setTemperatureCelsius(before.getTemperatureCelsius())),
                new Frozen(
                        "tells of no attenuator",
                        "stream/attenuation",
                        (before, port) -> port.setAttenuation(before.getAttenuation())));
    }
}
