package dev.lightpath.planner.health;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the light of all ports of one fabric fares, over time: carried from pass to pass, immutable. It keeps a few
 * samples for each port of the devices that are told of. After a restart baselines are learnt anew.
 */
public final class OpticalHealth {
    /** Nothing was measured yet. */
    public static final OpticalHealth NONE =
            new OpticalHealth(new TreeMap<>(), new TreeMap<>(), new Figures(0, 0), Instant.EPOCH, false, "nothing");

    /**
     * Ports of so many devices are compared once a second at most, those of more devices as much less often: a repair
     * has more urgent work for the processor.
     */
    private static final int DEVICES_A_SECOND = 8192;

    /** Two looks are nearer to each other than the time for which a port has to be worse before it is taken out. */
    private static final int MOST_SECONDS = 4;

    /**
     * @param ports what its ports received so far, by name
     * @param suspected ingress ports that may be to blame for the loss of a circuit, by name
     */
    private record DeviceHistory(
            Object said, SortedMap<String, PortHistory> ports, SortedMap<String, Suspicion> suspected) {
        DeviceHistory suspecting(SortedMap<String, Suspicion> now) {
            return now.equals(suspected) ? this : new DeviceHistory(said, ports, now);
        }
    }

    /** Of ports that were measured at the last look. */
    private record Figures(int watched, double worstRiseDb) {
        Figures and(PortHistory port) {
            return new Figures(watched + 1, Math.max(worstRiseDb, port.riseDb()));
        }
    }

    private final SortedMap<String, DeviceHistory> devices;
    private final SortedMap<Place, Finding> findings;
    private final Figures figures;
    private final Instant lookedAt;
    private final boolean pending;
    /** Stood for all that was told at the last look. */
    private final Object stamped;

    private OpticalHealth(
            SortedMap<String, DeviceHistory> devices,
            SortedMap<Place, Finding> findings,
            Figures figures,
            Instant lookedAt,
            boolean pending,
            Object stamped) {
        this.devices = devices;
        this.findings = findings;
        this.figures = figures;
        this.lookedAt = lookedAt;
        this.pending = pending;
        this.stamped = stamped;
    }

    /**
     * After what is told now: constant where a stamp says that nothing has changed, O(devices) where nothing has, else
     * O(ports log ports). Ports are compared once a {@link #pace} at most. Where nothing has changed it stays this.
     *
     * @param stamp stands for all that is told: as long as it is the same object, nothing has changed
     * @param told all devices that exist, by name; the histories of others are dropped
     */
    public OpticalHealth after(Instant now, Object stamp, Supplier<Map<String, Watched>> told, HealthPolicy policy) {
        boolean early = isEarly(now);
        if (pending ? early : stamp == stamped) {
            return this;
        }
        Map<String, Watched> devicesNow = told.get();
        if (!isNews(devicesNow)) {
            return pending ? new OpticalHealth(devices, findings, figures, now, false, stamp) : this;
        }
        return early
                ? new OpticalHealth(devices, findings, figures, lookedAt, true, stamped)
                : looked(now, stamp, devicesNow, policy);
    }

    /** Whether the last look was less than the pace ago. */
    private boolean isEarly(Instant now) {
        return now.isBefore(lookedAt.plus(pace())) && !now.isBefore(lookedAt);
    }

    private Duration pace() {
        return Duration.ofSeconds(Math.min(MOST_SECONDS, 1 + devices.size() / DEVICES_A_SECOND));
    }

    private boolean isNews(Map<String, Watched> told) {
        return devices.size() != told.size()
                || devices.entrySet().stream().anyMatch(each -> {
                    @Nullable Watched device = told.get(each.getKey());
                    return device == null || device.said() != each.getValue().said();
                });
    }

    private OpticalHealth looked(Instant now, Object stamp, Map<String, Watched> devicesNow, HealthPolicy policy) {
        SortedMap<String, DeviceHistory> next = histories(now, devicesNow);
        Judgement judgement = new Judgement(policy, now, findings);
        Figures all = new Figures(0, 0);
        for (Map.Entry<String, DeviceHistory> device : next.entrySet()) {
            Watched told = requireNonNull(devicesNow.get(device.getKey()));
            for (Map.Entry<String, PortHistory> port : device.getValue().ports().entrySet()) {
                if (port.getValue().last().isPresent()) {
                    Place place = new Place(device.getKey(), port.getKey());
                    judgement.port(told, place, port.getValue());
                    all = all.and(port.getValue());
                }
            }
        }
        SortedMap<Place, Finding> found = judgement.findings();
        Set<String> worse = found.keySet().stream().map(Place::device).collect(Collectors.toSet());
        next.replaceAll((name, device) -> device.suspected().isEmpty() && !worse.contains(name)
                ? device
                : device.suspecting(Suspicion.after(device.suspected(), device.ports(), worse(name, device, found))));
        next.forEach((name, device) -> {
            if (!device.suspected().isEmpty()) {
                cameAlong(now, name, device).forEach(found::putIfAbsent);
            }
        });
        return new OpticalHealth(next, found, all, now, false, stamp);
    }

    /** Of all that are told of. Linear where none comes, since of most nothing has changed. */
    private SortedMap<String, DeviceHistory> histories(Instant now, Map<String, Watched> told) {
        SortedMap<String, DeviceHistory> next = new TreeMap<>(devices);
        next.keySet().retainAll(told.keySet());
        next.replaceAll((name, before) -> history(now, before, requireNonNull(told.get(name))));
        if (next.size() < told.size()) {
            told.forEach((name, device) -> next.computeIfAbsent(name, comes -> history(now, null, device)));
        }
        return next;
    }

    private static Map<String, Finding> worse(String name, DeviceHistory device, Map<Place, Finding> found) {
        Map<String, Finding> worse = new TreeMap<>();
        device.ports().keySet().forEach(port -> {
            Finding finding = found.get(new Place(name, port));
            if (finding != null) {
                worse.put(port, finding);
            }
        });
        return worse;
    }

    /** Ingress ports with which a loss has come along to another circuit. */
    private SortedMap<Place, Finding> cameAlong(Instant now, String name, DeviceHistory device) {
        SortedMap<Place, Finding> found = new TreeMap<>();
        device.suspected()
                .forEach((ingress, suspicion) -> suspicion
                        .other(ingress, device.ports())
                        .map(suspicion::cameAlong)
                        .ifPresent(lost -> lost.ifPresent(lostDb -> {
                            Place place = new Place(name, ingress);
                            Finding finding =
                                    new Finding(place, Finding.Why.INGRESS_LOSS, lostDb, OptionalDouble.empty(), now);
                            Finding before = findings.get(place);
                            found.put(place, before == null ? finding : finding.after(before));
                        })));
        return found;
    }

    private static DeviceHistory history(Instant now, @Nullable DeviceHistory before, Watched device) {
        if (before != null && before.said() == device.said()) {
            return before;
        }
        SortedMap<String, PortHistory> ports = new TreeMap<>();
        if (before != null) {
            before.ports().forEach((port, history) -> {
                if (device.has().test(port)) {
                    ports.put(port, history.unmeasured());
                }
            });
        }
        device.readings().get().forEach((port, reading) -> {
            PortHistory known = ports.get(port);
            ports.put(port, known == null ? PortHistory.begins(now, reading) : known.and(now, reading));
        });
        return new DeviceHistory(device.said(), ports, before == null ? new TreeMap<>() : before.suspected());
    }

    /**
     * Without histories of devices that a person declared healthy since they began, and without those that began with
     * what the factory measured: what such a port receives now is its baseline. Readings of these devices promise
     * nothing from then on. Linear in ports of these devices.
     *
     * @param at by name of the device, the moment
     */
    public OpticalHealth cleared(Map<String, Instant> at) {
        SortedMap<String, DeviceHistory> left = new TreeMap<>();
        at.forEach((name, moment) -> {
            DeviceHistory device = devices.get(name);
            if (device != null && device.ports().values().stream().anyMatch(port -> port.isMeant(moment))) {
                SortedMap<String, PortHistory> ports = new TreeMap<>();
                device.ports().forEach((port, history) -> {
                    if (history.isMeant(moment)) {
                        history.accepted(moment).ifPresent(accepted -> ports.put(port, accepted));
                    } else {
                        ports.put(port, history);
                    }
                });
                left.put(name, new DeviceHistory("cleared", ports, new TreeMap<>()));
            }
        });
        if (left.isEmpty()) {
            return this;
        }
        SortedMap<Place, Finding> found = new TreeMap<>(findings);
        found.keySet().removeIf(place -> left.containsKey(place.device()));
        SortedMap<String, DeviceHistory> all = new TreeMap<>(devices);
        all.putAll(left);
        return new OpticalHealth(all, found, figures, Instant.EPOCH, true, "cleared");
    }

    /**
     * The same of single ports: what is measured there now is their baseline. O(ports).
     *
     * @param at by port, the moment
     */
    public OpticalHealth clearedPorts(Map<Place, Instant> at) {
        SortedMap<String, DeviceHistory> all = new TreeMap<>(devices);
        SortedMap<Place, Finding> found = new TreeMap<>(findings);
        boolean[] any = {false};
        at.forEach((place, moment) -> {
            DeviceHistory device = all.get(place.device());
            PortHistory port = device == null ? null : device.ports().get(place.port());
            if (device != null && port != null && port.began().isBefore(moment)) {
                SortedMap<String, PortHistory> ports = new TreeMap<>(device.ports());
                ports.remove(place.port());
                all.put(place.device(), new DeviceHistory("cleared", ports, new TreeMap<>()));
                found.remove(place);
                any[0] = true;
            }
        });
        return any[0] ? new OpticalHealth(all, found, figures, Instant.EPOCH, true, "cleared") : this;
    }

    /** Ports whose light gets worse, and switches that get worse as a whole. */
    public SortedMap<Place, Finding> findings() {
        return Collections.unmodifiableSortedMap(findings);
    }

    /**
     * What a port loses by a reading of this moment, above its baseline in dB; 0 where light comes another way than at
     * the last look, or none was measured then.
     */
    public double lossDb(Place place, Reading reading) {
        DeviceHistory device = devices.get(place.device());
        PortHistory port = device == null ? null : device.ports().get(place.port());
        return port == null ? 0 : port.lossDb(reading);
    }

    /**
     * An ingress that may be to blame for a loss that was measured at an egress.
     *
     * @param proved whether it is: the loss came along with it to another egress
     */
    public record Suspect(Place ingress, boolean proved) {}

    /** Who may be to blame instead of an egress for a loss that was measured there. O(ports). */
    public Optional<Suspect> suspect(Place egress) {
        DeviceHistory device = devices.get(egress.device());
        return device == null
                ? Optional.empty()
                : device.suspected().entrySet().stream()
                        .filter(each -> each.getValue().egress().equals(egress.port()))
                        .map(each -> new Suspect(
                                new Place(egress.device(), each.getKey()),
                                each.getValue().proved()))
                        .findFirst();
    }

    /** How many ports were measured at the last look. */
    public int watched() {
        return figures.watched();
    }

    /** The highest loss above a baseline among these, in dB; 0 of none. */
    public double worstRiseDb() {
        return figures.worstRiseDb();
    }

    /** When what was told is to be looked at; empty where nothing waits. */
    public Optional<Instant> wakeAt() {
        return pending ? Optional.of(lookedAt.plus(pace())) : Optional.empty();
    }

    /** The same after the wall clock was set. */
    public OpticalHealth moved(Duration by) {
        SortedMap<String, DeviceHistory> moved = new TreeMap<>();
        devices.forEach((name, device) -> {
            SortedMap<String, PortHistory> ports = new TreeMap<>();
            device.ports().forEach((port, history) -> ports.put(port, history.moved(by)));
            moved.put(name, new DeviceHistory(device.said(), ports, device.suspected()));
        });
        SortedMap<Place, Finding> found = new TreeMap<>(findings);
        found.replaceAll((place, finding) -> finding.moved(by));
        return new OpticalHealth(
                moved, found, figures, lookedAt.equals(Instant.EPOCH) ? lookedAt : lookedAt.plus(by), pending, stamped);
    }
}
