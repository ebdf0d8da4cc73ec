package dev.lightpath.conformance.requirement.stream;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import com.google.protobuf.Timestamp;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.SlowOperation;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.AvailabilityChanged;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.ProbeRequest;
import dev.lightpath.proto.driver.v1alpha1.ProbeResponse;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;

/** A device that does not answer its driver. */
public final class Silence {
    private static final String SECTION = "Silence";
    private static final Duration LEAST = Duration.ofSeconds(40);
    private static final Duration MOST = Duration.ofMinutes(5);
    private static final int MOVES = 20;

    /** A circuit of a transceiver is made by two items. */
    private static final int MOST_ITEMS = 2;

    private Silence() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "silence/told",
                        SECTION + "; AvailabilityChanged; IdentityService.Probe",
                        "A silent device is told as SILENT with an alarm, and as PRESENT with a snapshot on its return",
                        Silence::told),
                new Requirement(
                        "silence/last-read",
                        "DeviceCircuits.stale_since, DeviceSnapshot.stale_since",
                        "Reading or watching a silent device answers its circuits as last read, and since when that is",
                        Silence::lastRead),
                new Requirement(
                        "silence/nothing-started",
                        "ERROR_REASON_DEVICE_SILENT",
                        "A change of a silent device is UNAVAILABLE and starts nothing; its epoch is remembered",
                        Silence::nothingStarted),
                new Requirement(
                        "silence/in-the-middle",
                        "OUTCOME_UNKNOWN",
                        "A device that falls silent in the middle leaves UNKNOWN, which reading back resolves",
                        Silence::inTheMiddle));
    }

    private static void told(Bench bench) throws Exception {
        Timestamp present = bench.listed().getSince();
        try (Watching watching = bench.watch()) {
            bench.faults().inject(new Fault.Silence());
            AvailabilityChanged silent = watching.await(
                            "the device SILENT", 0, noticed(bench), m -> is(bench, m, Availability.AVAILABILITY_SILENT))
                    .getAvailabilityChanged();
            that(silent.hasSince(), "since when the device is SILENT", silent);
            if (Streams.carries(bench, StreamKind.STREAM_KIND_ALARMS)) {
                Alarm alarm = watching.await(
                                "the alarm DEVICE_SILENT",
                                m -> m.getAlarmChanged().getRaised()
                                        && m.getAlarmChanged().getAlarm().getKind()
                                                == AlarmKind.ALARM_KIND_DEVICE_SILENT)
                        .getAlarmChanged()
                        .getAlarm();
                that(
                        alarm.getSeverity() != AlarmSeverity.ALARM_SEVERITY_UNSPECIFIED && alarm.hasSince(),
                        "a severity and a since of the alarm",
                        alarm);
            }
            equal(
                    "availability listed",
                    Availability.AVAILABILITY_SILENT,
                    bench.listed().getAvailability());
            that(
                    !bench.listed().getSince().equals(present),
                    "another since of SILENT than the " + present + " of PRESENT",
                    bench.listed());
            ProbeResponse unanswered =
                    bench.await("Probe to go unanswered", () -> probed(bench), answer -> !answer.getAnswered());
            that(
                    !unanswered.hasRoundTrip() && !unanswered.getDetail().isEmpty(),
                    "a detail and no round_trip of a Probe that was not answered",
                    unanswered);
            int before = watching.messages().size();
            bench.faults().mend();
            WatchResponse back =
                    watching.await("the device PRESENT", before, m -> is(bench, m, Availability.AVAILABILITY_PRESENT));
            equal("detail of PRESENT", "", back.getAvailabilityChanged().getDetail());
            watching.await(
                    "a snapshot on its return, after the device PRESENT",
                    watching.messages().indexOf(back) + 1,
                    m -> m.hasSnapshot() && m.getSnapshot().getAvailability() == Availability.AVAILABILITY_PRESENT);
        }
        bench.await("the alarm DEVICE_SILENT to be gone", () -> standing(bench), alarms -> !alarms);
    }

    private static boolean standing(Bench bench) {
        try (Watching watching = bench.watch()) {
            return watching.messages().stream()
                    .filter(WatchResponse::hasSnapshot)
                    .flatMap(m -> m.getSnapshot().getAlarmsList().stream())
                    .anyMatch(a -> a.getKind() == AlarmKind.ALARM_KIND_DEVICE_SILENT);
        }
    }

    private static ProbeResponse probed(Bench bench) {
        return bench.calls()
                .identity()
                .probe(ProbeRequest.newBuilder().setDeviceId(bench.deviceId()).build());
    }

    private static boolean is(Bench bench, WatchResponse message, Availability availability) {
        return message.getAvailabilityChanged().getDeviceId().equals(bench.deviceId())
                && message.getAvailabilityChanged().getAvailability() == availability;
    }

    private static void lastRead(Bench bench) throws Exception {
        bench.change().make(0).apply();
        String before = bench.read().getObservedDigest();
        bench.faults().inject(new Fault.Silence());
        DeviceCircuits stale =
                bench.await("stale_since on a reading", noticed(bench), bench::read, DeviceCircuits::hasStaleSince);
        equal("digest as last read", before, stale.getObservedDigest());
        awaitSilent(bench);
        equal(
                "stale_since, read again,",
                bench.read().getStaleSince(),
                bench.read().getStaleSince());
        try (Watching watching = bench.watch()) {
            DeviceSnapshot snapshot =
                    watching.await("a snapshot", WatchResponse::hasSnapshot).getSnapshot();
            equal(
                    "availability in a snapshot of a silent device",
                    Availability.AVAILABILITY_SILENT,
                    snapshot.getAvailability());
            that(snapshot.hasStaleSince(), "stale_since in a snapshot of a silent device", snapshot);
            equal("digest of the snapshot, as last read", before, snapshot.getObservedDigest());
        }
        bench.faults().mend();
        bench.await("a fresh reading after its return", bench::read, read -> !read.hasStaleSince());
        bench.expectMade(0);
    }

    private static void nothingStarted(Bench bench) throws Exception {
        long lower = bench.epoch();
        bench.raiseEpoch();
        bench.faults().inject(new Fault.Silence());
        awaitSilent(bench);
        Change change = bench.change().make(0);
        change.refused("a change of a silent device", Status.Code.UNAVAILABLE, "DEVICE_SILENT");
        bench.faults().mend();
        bench.await("a fresh reading after its return", bench::read, read -> !read.hasStaleSince());
        bench.expectMade();
        refused(
                "GetOperation of what was never started",
                () -> {
                    var unused = bench.operation(change.id());
                },
                Status.Code.NOT_FOUND,
                "NO_SUCH_OPERATION");
        bench.change().epoch(lower).refused("the epoch before", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
    }

    private static void inTheMiddle(Bench bench) throws Exception {
        SlowOperation.slow(bench);
        for (int attempt = 0; attempt < SlowOperation.ATTEMPTS; attempt++) {
            if (leavesUnknown(bench)) {
                return;
            }
            bench.faults().mend();
            bench.await("a fresh reading after its return", bench::read, read -> !read.hasStaleSince());
            bench.change().unmake(0).apply();
            SlowOperation.slow(bench);
        }
        throw new Inapplicable("in " + SlowOperation.ATTEMPTS
                + " attempts the operation had ended before the device was silent for certain");
    }

    /** False where the operation may have ended before the device was silent. */
    private static boolean leavesUnknown(Bench bench) throws Exception {
        long beganNanos = System.nanoTime();
        SlowOperation slow = SlowOperation.making(bench, 0);
        bench.faults().inject(new Fault.Silence());
        Duration until = Duration.ofNanos(System.nanoTime() - beganNanos);
        Operation unknown = bench.await(
                "the operation to be UNKNOWN while the device is silent",
                noticed(bench),
                () -> bench.operation(slow.id()),
                o -> o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
        if (unknown.getOutcome() != Outcome.OUTCOME_UNKNOWN && until.compareTo(SlowOperation.MOVE.dividedBy(2)) > 0) {
            return false;
        }
        equal("outcome while the device is silent", Outcome.OUTCOME_UNKNOWN, unknown.getOutcome());
        equal("observed_digest while the device is silent", "", unknown.getObservedDigest());
        slow.leave();
        bench.faults().mend();
        Operation resolved = bench.await(
                "the operation to be resolved",
                () -> bench.operation(slow.id()),
                o -> o.getOutcome() != Outcome.OUTCOME_UNKNOWN && o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
        equal("digest of the resolved operation", bench.read().getObservedDigest(), resolved.getObservedDigest());
        that(
                resolved.getOutcome()
                        == Outcome.OUTCOME_APPLIED
                        == bench.shown().size() > 0,
                "APPLIED if, and only if, the circuit is there",
                resolved);
        return true;
    }

    private static void awaitSilent(Bench bench) {
        bench.await(
                "the device SILENT",
                noticed(bench),
                () -> bench.listed().getAvailability(),
                Availability.AVAILABILITY_SILENT::equals);
    }

    /**
     * How long a driver may need to find out that its device is silent: what the contract leaves it when it asked for a
     * move. It says nothing of a device that is not asked for anything.
     */
    private static Duration noticed(Bench bench) {
        return left(bench.device().capabilities()).plus(bench.terms().patience());
    }

    private static Duration left(Capabilities capabilities) {
        Duration move = Duration.ofSeconds(
                capabilities.getMaxSwitchTime().getSeconds(),
                capabilities.getMaxSwitchTime().getNanos());
        Duration most = longer(MOST, move.multipliedBy(2));
        if (!capabilities.hasMaxSwitchTime()) {
            return most;
        }
        Duration moves = move.multipliedBy(
                capabilities.getMoveConcurrency() == MoveConcurrency.MOVE_CONCURRENCY_PARALLEL
                        ? MOVES
                        : MOVES * MOST_ITEMS);
        Duration left = longer(LEAST, moves);
        return left.compareTo(most) < 0 ? left : most;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
