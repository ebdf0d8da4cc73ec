package dev.lightpath.conformance.requirement.stream;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import io.grpc.ManagedChannel;
import java.util.List;

/** A client that does not keep up: it may lose messages, but never the state. */
public final class SlowClient {
    private static final int NARROW_BYTES = 2048;
    private static final int ON_THEIR_WAY_BYTES = 64 << 10;

    private SlowClient() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "stream/slow-client",
                "Streams; WatchResponse.dropped",
                "The buffer is bounded: a slow client sees a gap as large as dropped says, a snapshot, Synced, and ends with what is",
                SlowClient::slowClient));
    }

    private static void slowClient(Bench bench) {
        if (bench.terms().slowClient().isZero()) {
            throw new Inapplicable("--slow-client-seconds is 0");
        }
        Streams.require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        Streams.require(bench, StreamKind.STREAM_KIND_PORTS);
        ManagedChannel narrow = bench.calls().channel(NARROW_BYTES);
        try (Watching watching = bench.watchSlowly(narrow)) {
            watching.await("a first message", m -> true);
            int changes = overrun(bench);
            String digest = bench.change().make(0).apply().getObservedDigest();
            watching.readOn();
            watching.awaitDigest(bench.deviceId(), digest);
            List<WatchResponse> told = watching.messages();
            if (told.getLast().getDropped() == 0) {
                judgeKept(bench.terms().watchBuffer(), told, changes);
            }
            int gap = firstGap(told);
            watching.await(
                    "a snapshot of " + bench.deviceId() + " after the gap",
                    gap,
                    m -> m.getSnapshot().getDeviceId().equals(bench.deviceId()));
            watching.await("Synced after the gap", gap, m -> m.getEventCase() == EventCase.SYNCED);
            numbered(watching.messages(), watching.messages().getLast().getDropped());
        } finally {
            narrow.shutdownNow();
        }
    }

    /** None was dropped: too many messages kept is not met, fewer prove nothing. */
    private static void judgeKept(int most, List<WatchResponse> told, int changes) {
        numbered(told, 0);
        that(
                kept(told) <= most,
                "a bounded buffer: messages dropped for a client that read nothing of more than " + most
                        + " (a driver that keeps more says so by --watch-buffer)",
                "all " + told.size() + " messages of " + changes + " changes, none dropped");
        throw new Inapplicable(
                told.size() < changes / 2
                        ? "the driver made " + told.size() + " messages of " + changes
                                + " changes and dropped none: it keeps the latest alone, which is bounded already"
                        : "the driver dropped none of " + told.size() + " messages, and may keep " + most
                                + "; more --slow-client-seconds and -changes, or less --watch-buffer, would show");
    }

    /** Messages that must have waited in the driver: the first may have been on their way all the time. */
    private static int kept(List<WatchResponse> told) {
        long bytes = 0;
        int kept = 0;
        for (WatchResponse message : told) {
            bytes += message.getSerializedSize();
            kept += bytes > ON_THEIR_WAY_BYTES ? 1 : 0;
        }
        return kept;
    }

    /** Changes the device until time or changes are used up; an override makes a message and moves nothing. */
    private static int overrun(Bench bench) {
        long deadline = System.nanoTime() + bench.terms().slowClient().toNanos();
        String port = bench.layout().circuit(1).getEgress();
        int changes = 0;
        while (changes < bench.terms().slowClientChanges() && System.nanoTime() - deadline < 0) {
            var unused = bench.override(
                    port,
                    changes++ % 2 == 0 ? PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE : PortOverride.PORT_OVERRIDE_NONE);
        }
        return changes;
    }

    private static int firstGap(List<WatchResponse> told) {
        for (int i = 1; i < told.size(); i++) {
            if (told.get(i).getSeq() != told.get(i - 1).getSeq() + 1) {
                return i;
            }
        }
        throw new Unmet("a gap in seq, for dropped is " + told.getLast().getDropped(), "numbers without gaps");
    }

    private static void numbered(List<WatchResponse> told, long dropped) {
        long before = 0;
        for (WatchResponse message : told) {
            that(message.getSeq() > before, "seq above " + before, message.getSeq());
            before = message.getSeq();
        }
        equal("last seq = messages received + dropped", told.size() + dropped, before);
    }
}
