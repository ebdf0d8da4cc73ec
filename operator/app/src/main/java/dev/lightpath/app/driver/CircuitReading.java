package dev.lightpath.app.driver;

import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceStub;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Reads devices of one driver from their hardware. What was read is not put into the view: the stream brings it there
 * in its order, and the reading ends once it has.
 */
final class CircuitReading {
    private static final int PAGE = 256;

    private final DriverCalls calls;
    private final DriverLink link;
    private final DriverView view;
    private final String driver;
    private final SortedSet<String> wanted;
    private final List<CompletableFuture<Void>> settling = new ArrayList<>();
    private final SortedSet<String> read = new TreeSet<>();
    /** Devices that a page has told of. */
    private final SortedSet<String> listed = new TreeSet<>();

    private final SortedMap<String, String> unread = new TreeMap<>();

    CircuitReading(DriverCalls calls, DriverLink link, DriverView view, String driver, SortedSet<String> wanted) {
        this.calls = calls;
        this.link = link;
        this.view = view;
        this.driver = driver;
        this.wanted = wanted;
    }

    /** The hardware of one device. */
    static CompletableFuture<DeviceCircuits> of(DriverCalls calls, String device) {
        return page(calls, List.of(device), "").thenApply(answer -> answer.getDevices(0));
    }

    /** Reads. The reading always comes, and never as an exception. */
    CompletableFuture<Reading> run() {
        List<String> known = new ArrayList<>();
        for (String device : wanted) {
            if (view.digest(device).isPresent()) {
                known.add(device);
            } else {
                unread.put(device, "the driver never told of it");
            }
        }
        CompletableFuture<Void> pages = known.isEmpty() ? CompletableFuture.completedFuture(null) : pages(known, "");
        return pages.exceptionally(failure -> {
                    String why = CallFailure.of(failure).text();
                    known.stream()
                            .filter(device -> !read.contains(device))
                            .forEach(device -> unread.putIfAbsent(device, why));
                    return null;
                })
                .thenCompose(done -> CompletableFuture.allOf(settling.toArray(CompletableFuture[]::new)))
                .thenApply(done -> {
                    known.stream()
                            .filter(device -> !read.contains(device))
                            .forEach(device -> unread.putIfAbsent(device, "the driver's answer does not contain it"));
                    return unread.entrySet().stream()
                            .map(entry -> Reading.failed(driver, List.of(entry.getKey()), entry.getValue()))
                            .reduce(Reading.done(driver, read), Reading::and);
                });
    }

    private CompletableFuture<Void> pages(Collection<String> devices, String token) {
        return page(calls, devices, token).thenCompose(answer -> {
            boolean news = false;
            for (DeviceCircuits each : answer.getDevicesList()) {
                if (wanted.contains(each.getDeviceId()) && listed.add(each.getDeviceId())) {
                    news = true;
                    take(each);
                }
            }
            if (answer.getNextPageToken().isEmpty()) {
                return CompletableFuture.<Void>completedFuture(null);
            }
            // a driver may repeat a token, or invent tokens and devices without end: each page brings one that was
            // asked for
            return news
                    ? pages(devices, answer.getNextPageToken())
                    : CompletableFuture.<Void>failedFuture(new IllegalStateException("the driver's page after token '"
                            + token + "' has no further device that was asked for, and is not its last"));
        });
    }

    private void take(DeviceCircuits circuits) {
        String device = circuits.getDeviceId();
        link.sawHolder(device, circuits.getHoldingRole());
        link.sawEpoch(
                circuits.getHoldingRole(), new EpochMark(circuits.getHighestEpoch(), circuits.getHighestEpochHolder()));
        if (!circuits.hasStaleSince()) {
            read.add(device);
            settling.add(calls.settled(device, circuits.getObservedDigest()));
        } else if (view.silent(device)) {
            read.add(device);
        } else {
            unread.put(device, "the device does not answer its driver");
        }
    }

    private static CompletableFuture<GetCircuitsResponse> page(
            DriverCalls calls, Collection<String> devices, String token) {
        Optional<CircuitServiceStub> circuits = calls.circuits(calls.patience());
        if (circuits.isEmpty()) {
            return CompletableFuture.failedFuture(new IllegalStateException("driver was disconnected"));
        }
        GetCircuitsRequest.Builder request = GetCircuitsRequest.newBuilder()
                .setSource(CircuitSource.CIRCUIT_SOURCE_HARDWARE)
                .setPageSize(PAGE)
                .setPageToken(token);
        devices.forEach(device -> request.addDevices(DeviceScope.newBuilder()
                .setDeviceId(device)
                .setScope(Scope.newBuilder().setAllPorts(true))));
        return Unary.ask(answer -> circuits.orElseThrow().getCircuits(request.build(), answer));
    }
}
