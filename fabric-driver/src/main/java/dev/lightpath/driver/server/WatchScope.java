package dev.lightpath.driver.server;

import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The content of a stream.
 *
 * @param named requested devices; empty means every device that the caller may read
 */
record WatchScope(
        SortedMap<String, ScopeFilter> named,
        Predicate<String> readable,
        Set<StreamKind> kinds,
        Duration heartbeat,
        double powerStepDb) {
    private static final Duration USUAL_HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration SHORTEST_HEARTBEAT = Duration.ofMillis(100);
    private static final double USUAL_STEP_DB = 0.5;

    static WatchScope of(WatchRequest request, Predicate<String> readable) {
        SortedMap<String, ScopeFilter> named = new TreeMap<>();
        for (DeviceScope each : request.getDevicesList()) {
            named.put(each.getDeviceId(), ScopeFilter.ofRead(each));
        }
        Duration asked = request.hasHeartbeatInterval()
                ? dev.lightpath.driver.contract.view.Times.duration(request.getHeartbeatInterval())
                : USUAL_HEARTBEAT;
        return new WatchScope(
                named,
                readable,
                Set.copyOf(request.getKindsList()),
                asked.compareTo(SHORTEST_HEARTBEAT) < 0 ? SHORTEST_HEARTBEAT : asked,
                request.hasReceivePowerStepDb() ? request.getReceivePowerStepDb() : USUAL_STEP_DB);
    }

    /** The ports that matter of a device; empty when the stream does not carry it. */
    Optional<ScopeFilter> of(String deviceId) {
        if (!named.isEmpty()) {
            return Optional.ofNullable(named.get(deviceId));
        }
        return readable.test(deviceId) ? Optional.of(ScopeFilter.ALL) : Optional.empty();
    }

    boolean wants(StreamKind kind) {
        return kinds.isEmpty() || kinds.contains(kind);
    }
}
