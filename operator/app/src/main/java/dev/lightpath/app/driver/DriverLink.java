package dev.lightpath.app.driver;

import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Stage;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The connection to one driver server. */
final class DriverLink {
    private final DriverEndpoint endpoint;

    DriverLink(DriverEndpoint endpoint, FleetSurroundings surroundings, Consumer<FleetChange> changed) {
        this.endpoint = endpoint;
    }

    void open() {}

    void serve(DriverEndpoint next) {}

    DriverState state() {
        return DriverState.unheard("not yet heard");
    }

    CompletableFuture<ChangeOutcome> apply(Stage stage, DeviceChange change, String holder) {
        return CompletableFuture.completedFuture(new ChangeOutcome.Rejected(
                ChangeOutcome.Reason.DRIVER_UNREACHABLE, endpoint.address() + " is not synced", Optional.empty()));
    }

    CompletableFuture<Reading> read(SortedSet<String> devices) {
        return CompletableFuture.completedFuture(
                Reading.failed(endpoint.address(), devices, endpoint.address() + " is not synced"));
    }

    void close() {}
}
