package dev.lightpath.app.driver;

import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryResponse;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc.InventoryServiceStub;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the inventories of one driver's devices whenever the stream reports a new or changed one: some at a time, and
 * again after a growing wait when it fails, as long as there is a connection. A device that the driver does not
 * describe delays no other.
 */
final class InventoryReading {
    private static final Logger LOG = LoggerFactory.getLogger(InventoryReading.class);

    /** Few enough for an answer of 4 MiB, also of large switches. */
    private static final int AT_A_TIME = 128;

    private final String driver;
    private final DriverLink link;
    private final DriverView view;
    private final FleetSurroundings surroundings;
    private final Set<String> withheld = new HashSet<>();
    /** A question is under way. */
    private boolean running;

    /** The driver itself failed to answer: nothing is asked before the retry. */
    private boolean waiting;

    private boolean retryDue;
    private int atATime = AT_A_TIME;
    private int attempt;

    InventoryReading(String driver, DriverLink link, DriverView view, FleetSurroundings surroundings) {
        this.driver = driver;
        this.link = link;
        this.view = view;
        this.surroundings = surroundings;
    }

    private record Answer(ListDevicesResponse devices, GetInventoryResponse inventories) {}

    /** Starts a reading if there is something to read and none is under way. */
    synchronized void refresh() {
        if (running || waiting) {
            return;
        }
        List<String> some = view.unlisted().stream()
                .filter(device -> !withheld.contains(device))
                .limit(atATime)
                .toList();
        InventoryServiceStub stub =
                link.inventories(surroundings.timings().ask()).orElse(null);
        if (some.isEmpty() || stub == null) {
            return;
        }
        running = true;
        CompletableFuture<ListDevicesResponse> devices = Unary.ask(answer -> stub.listDevices(
                ListDevicesRequest.newBuilder()
                        .addAllDeviceIds(some)
                        .setPageSize(some.size())
                        .build(),
                answer));
        CompletableFuture<GetInventoryResponse> inventories = Unary.ask(answer -> stub.getInventory(
                GetInventoryRequest.newBuilder()
                        .addAllDeviceIds(some)
                        .setPageSize(some.size())
                        .build(),
                answer));
        var unused = devices.thenCombine(inventories, Answer::new).whenComplete((answer, failure) -> {
            if (answer == null) {
                failed(some, CallFailure.of(failure));
            } else {
                take(some, answer);
            }
        });
    }

    private void take(List<String> asked, Answer answer) {
        Map<String, Device> devices = new HashMap<>();
        answer.devices().getDevicesList().forEach(device -> devices.put(device.getDeviceId(), device));
        boolean any = false;
        for (DeviceInventory listed : answer.inventories().getDevicesList()) {
            any |= view.list(listed, devices.getOrDefault(listed.getDeviceId(), Device.getDefaultInstance()));
        }
        if (!any) {
            await("its answer contains none of " + asked.size() + " devices, " + asked.getFirst() + " the first");
            return;
        }
        synchronized (this) {
            running = false;
            attempt = 0;
        }
        link.listed();
        refresh();
    }

    private void failed(List<String> asked, CallFailure failure) {
        boolean ofOne = switch (failure.status().getCode()) {
            case NOT_FOUND, PERMISSION_DENIED, INVALID_ARGUMENT, FAILED_PRECONDITION -> true;
            default -> false;
        };
        if (!ofOne) {
            await(failure.text());
            return;
        }
        synchronized (this) {
            running = false;
            if (asked.size() > 1) {
                atATime = 1;
            } else {
                // before its retry, which may be due at once
                withheld.addAll(asked);
            }
        }
        if (asked.size() == 1) {
            later("device " + asked.getFirst() + ": " + failure.text());
        }
        refresh();
    }

    private void await(String why) {
        synchronized (this) {
            running = false;
            waiting = true;
        }
        later(why);
    }

    /** One retry is due at a time, however many devices want it. */
    private void later(String why) {
        view.unlistable(why);
        link.listed();
        int waits;
        synchronized (this) {
            if (retryDue) {
                return;
            }
            retryDue = true;
            waits = attempt++;
        }
        if (waits == 0) {
            LOG.atInfo()
                    .addKeyValue("driver", driver)
                    .addKeyValue("why", why)
                    .log("what its devices consist of cannot be read");
        }
        surroundings.after(surroundings.backoff(waits), () -> {
            synchronized (this) {
                retryDue = false;
                waiting = false;
                atATime = AT_A_TIME;
                withheld.clear();
            }
            refresh();
        });
    }
}
