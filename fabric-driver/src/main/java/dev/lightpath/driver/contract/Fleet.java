package dev.lightpath.driver.contract;

import com.google.rpc.Code;
import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.ledger.LedgerRecord;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The devices of all adapters by name. Devices known from an earlier run are there from the start, silent. */
public final class Fleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);

    private final Surroundings surroundings;
    private final List<Adapter> adapters;
    private final ConcurrentSkipListMap<String, ControlledDevice> devices = new ConcurrentSkipListMap<>();
    /**
     * Every device of this run by name, removed ones too. An operation may still run on a device that is removed: when
     * it is described again, it has the same lock. Devices come and go under the monitor of this map: two adapters may
     * tell of one device at the same time.
     */
    private final Map<String, ControlledDevice> controls = new ConcurrentHashMap<>();
    /** The adapter that described a device last of those that do not serve it, by the device's name. */
    private final Map<String, Adapter> ignored = new ConcurrentHashMap<>();
    /** Devices of an earlier run that no adapter has described in this one. */
    private final Set<String> undescribed = ConcurrentHashMap.newKeySet();

    public Fleet(Surroundings surroundings, List<Adapter> adapters) {
        this.surroundings = surroundings;
        this.adapters = List.copyOf(adapters);
        surroundings.ledger().devices().forEach(memory -> {
            DeviceDescription description = memory.description();
            Optional<Adapter> adapter = description == null
                    ? Optional.empty()
                    : this.adapters.stream()
                            .filter(a -> a.kind().equals(description.device().getAdapter()))
                            .findFirst();
            if (description != null && adapter.isPresent()) {
                devices.put(description.deviceId(), control(description, adapter.get()));
                undescribed.add(description.deviceId());
            }
        });
        surroundings.ledger().onCaughtUp((deviceId, late) -> find(deviceId).ifPresent(device -> device.caughtUp(late)));
    }

    private ControlledDevice control(DeviceDescription description, Adapter adapter) {
        return controls.computeIfAbsent(
                description.deviceId(), unused -> new ControlledDevice(description, adapter, surroundings));
    }

    /** Starts the adapters; the future completes when each has reported all its devices. */
    public CompletableFuture<Void> start() {
        Map<String, List<CompletableFuture<Set<String>>>> byKind = new TreeMap<>();
        adapters.forEach(adapter -> byKind.computeIfAbsent(adapter.kind(), unused -> new ArrayList<>())
                .add(adapter.start(new Listener(adapter))));
        return CompletableFuture.allOf(byKind.entrySet().stream()
                .map(each -> CompletableFuture.allOf(each.getValue().toArray(CompletableFuture[]::new))
                        .thenRun(() -> forgetAllBut(
                                each.getKey(),
                                each.getValue().stream()
                                        .flatMap(names -> names.join().stream())
                                        .collect(Collectors.toSet()))))
                .toArray(CompletableFuture[]::new));
    }

    /** Removes devices of an earlier run that no adapter of their kind has any more. */
    private void forgetAllBut(String kind, Set<String> named) {
        synchronized (controls) {
            devices.values().stream()
                    .filter(device -> device.adapter().kind().equals(kind))
                    .filter(device -> undescribed.contains(device.view().deviceId()))
                    .filter(device -> !named.contains(device.view().deviceId()))
                    .forEach(device -> {
                        LOG.atInfo()
                                .addKeyValue("device", device.view().deviceId())
                                .log("no adapter has this device any more: it is forgotten");
                        remove(device);
                    });
        }
    }

    /** @throws ContractException NOT_FOUND when the driver has no such device */
    public ControlledDevice device(String deviceId) {
        ControlledDevice device = devices.get(deviceId);
        if (device == null) {
            throw new ContractException(
                    Code.NOT_FOUND,
                    ErrorReason.ERROR_REASON_NO_SUCH_DEVICE,
                    "the driver has no device '" + deviceId + "'; ListDevices names those it has",
                    Map.of("device_id", deviceId));
        }
        return device;
    }

    /** @throws ContractException also UNAVAILABLE when the device was never reached: it is not known what it is */
    public ControlledDevice reached(String deviceId) {
        ControlledDevice device = device(deviceId);
        if (device.view().description().isUnreached()) {
            throw ContractException.silent(deviceId, device.view().silentDetail());
        }
        return device;
    }

    public Optional<ControlledDevice> find(String deviceId) {
        return Optional.ofNullable(devices.get(deviceId));
    }

    /** All devices in the order of their names, as of now. */
    public SortedMap<String, ControlledDevice> devices() {
        return new TreeMap<>(devices);
    }

    public int size() {
        return devices.size();
    }

    private void remove(ControlledDevice device) {
        String deviceId = device.view().deviceId();
        devices.remove(deviceId);
        var unused = surroundings.ledger().write(new LedgerRecord.Forgotten(deviceId));
        device.mirror().removed();
    }

    @Override
    public void close() {
        adapters.forEach(Adapter::close);
    }

    private final class Listener implements AdapterListener {
        private final Adapter adapter;

        Listener(Adapter adapter) {
            this.adapter = adapter;
        }

        @Override
        public void described(DeviceDescription description) {
            synchronized (controls) {
                take(description);
            }
        }

        private void take(DeviceDescription description) {
            String deviceId = description.deviceId();
            boolean isGuessed = undescribed.remove(deviceId);
            ControlledDevice known = devices.get(deviceId);
            if (known == null) {
                remember(description);
                add(description);
                return;
            }
            if (known.adapter() != adapter) {
                if (isPresent(known)) {
                    LOG.atError()
                            .addKeyValue("device", deviceId)
                            .log("two adapters have a device of this name: "
                                    + known.adapter().where() + ", and " + adapter.where()
                                    + ", whose device is ignored");
                    ignored.put(deviceId, adapter);
                    return;
                }
                ignored.remove(deviceId, adapter);
                if (!isGuessed) {
                    ignored.put(deviceId, known.adapter());
                }
                known.serveBy(adapter);
            }
            if (!known.view().description().equals(description)) {
                remember(description);
                known.mirror().described(description);
            }
        }

        private void add(DeviceDescription description) {
            ControlledDevice controlled = control(description, adapter);
            if (controlled.mirror().isRemoved()) {
                controlled.returned(description, adapter);
            }
            devices.put(description.deviceId(), controlled);
        }

        private void remember(DeviceDescription description) {
            var unused = surroundings.ledger().write(new LedgerRecord.Described(description.deviceId(), description));
        }

        @Override
        public void removed(String deviceId) {
            Optional<Adapter> next;
            synchronized (controls) {
                ignored.remove(deviceId, adapter);
                mine(deviceId, Fleet.this::remove);
                next = devices.containsKey(deviceId) ? Optional.empty() : Optional.ofNullable(ignored.remove(deviceId));
            }
            next.ifPresent(other -> wake(other, deviceId));
        }

        /** On a thread of its own: this one may hold what the other adapter waits for. */
        private static void wake(Adapter other, String deviceId) {
            Thread.startVirtualThread(() -> other.again(deviceId));
        }

        private static boolean isPresent(ControlledDevice device) {
            return device.view().availability() == Availability.AVAILABILITY_PRESENT;
        }

        @Override
        public void present(String deviceId, DeviceReading reading) {
            ControlledDevice device = devices.get(deviceId);
            if (device == null) {
                return;
            }
            if (device.adapter() == adapter) {
                device.present(reading);
            } else if (!isPresent(device)) {
                // the one that serves it does not answer: this one is to describe it
                wake(adapter, deviceId);
            }
        }

        @Override
        public void silent(String deviceId, String detail) {
            synchronized (controls) {
                if (!devices.containsKey(deviceId)) {
                    add(DeviceDescription.unreached(deviceId, adapter.kind()));
                }
                mine(deviceId, device -> {
                    // two that are silent do not wake each other without end
                    boolean answered = isPresent(device) || device.mirror().isUnanswered();
                    device.mirror().silent(detail);
                    if (answered) {
                        Optional.ofNullable(ignored.get(deviceId)).ifPresent(other -> wake(other, deviceId));
                    }
                });
            }
        }

        @Override
        public void changedBy(String deviceId, String who) {
            mine(deviceId, device -> {
                LOG.atInfo().addKeyValue("device", deviceId).log("changed by others: " + who);
                device.changedBy(who);
            });
        }

        @Override
        public void circuits(String deviceId, List<NativeCircuit> circuits) {
            mine(deviceId, device -> device.hint(circuits));
        }

        @Override
        public void ports(String deviceId, List<PortStatus> ports) {
            mine(deviceId, device -> device.mirror().ports(ports));
        }

        @Override
        public void alarms(String deviceId, List<Alarm> alarms) {
            mine(deviceId, device -> device.mirror().alarms(alarms));
        }

        @Override
        public void environment(String deviceId, Environment environment) {
            mine(deviceId, device -> device.mirror().environment(environment));
        }

        @Override
        public void powerCycled(String deviceId) {
            mine(deviceId, device -> device.mirror().powerCycled());
        }

        private void mine(String deviceId, Consumer<ControlledDevice> news) {
            ControlledDevice device = devices.get(deviceId);
            if (device != null && device.adapter() == adapter) {
                news.accept(device);
            }
        }
    }
}
