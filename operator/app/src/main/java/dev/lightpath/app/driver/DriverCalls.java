package dev.lightpath.app.driver;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceStub;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;

/** What is asked of one driver besides its stream: changes and readings. Nothing is sent while it is not synced. */
final class DriverCalls {
    private final DriverEndpoint endpoint;
    private final DriverLink link;
    private final DriverView view;
    private final FleetSurroundings surroundings;

    DriverCalls(DriverEndpoint endpoint, DriverLink link, DriverView view, FleetSurroundings surroundings) {
        this.endpoint = endpoint;
        this.link = link;
        this.view = view;
        this.surroundings = surroundings;
    }

    CompletableFuture<ChangeOutcome> apply(Stage stage, DeviceChange change, String holder) {
        if (!view.synced()) {
            return CompletableFuture.completedFuture(new ChangeOutcome.Rejected(
                    ChangeOutcome.Reason.DRIVER_UNREACHABLE,
                    endpoint.label() + " is not synced; nothing was sent",
                    Optional.empty()));
        }
        return new ChangeCall(this, link, surroundings, stage, change, holder).run();
    }

    CompletableFuture<Reading> read(SortedSet<String> devices) {
        return view.synced()
                ? new CircuitReading(this, link, view, endpoint.driver(), devices).run()
                : CompletableFuture.completedFuture(
                        Reading.failed(endpoint.driver(), devices, endpoint.label() + " is not synced"));
    }

    /** Where circuits are asked for and changed; empty when there is no connection to be had. */
    Optional<CircuitServiceStub> circuits(Duration deadline) {
        return link.circuits(deadline);
    }

    Duration patience() {
        return surroundings.timings().ask();
    }

    /**
     * Completes when the stream shows the device's circuits as an answer has shown them. A stream that does not follow
     * has lost something: then the hardware is read once more, and if that differs too, all devices are listed again.
     */
    CompletableFuture<Void> settled(String device, String digest) {
        CompletableFuture<Void> reached = view.await(device, digest);
        if (!reached.isDone()) {
            surroundings.after(surroundings.timings().settle(), () -> {
                if (!reached.isDone()) {
                    verify(device, reached);
                }
            });
        }
        return reached;
    }

    private void verify(String device, CompletableFuture<Void> reached) {
        var unused = CircuitReading.of(this, device).handle((read, failure) -> {
            if (read != null
                    && view.synced()
                    && !read.hasStaleSince()
                    && !view.digest(device).equals(Optional.of(read.getObservedDigest()))) {
                link.relist("device " + device + " shows circuits that its stream does not tell of");
            }
            return reached.complete(null);
        });
    }
}
