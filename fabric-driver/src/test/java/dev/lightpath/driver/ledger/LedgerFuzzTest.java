package dev.lightpath.driver.ledger;

import com.google.protobuf.ByteString;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.journal.RecordLog;
import dev.lightpath.fuzz.Fuzz;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Records inside a journal that is sound: another version of the driver, or a person, may have written them. */
@Isolated("the heap that it measures is that of the whole process")
class LedgerFuzzTest {
    private static final Operation OPERATION = Operation.newBuilder()
            .setOperationId("op")
            .setDeviceId("d")
            .setFencing(Fencing.newBuilder().setRole("r").setEpoch(3))
            .setOutcome(Outcome.OUTCOME_APPLIED)
            .build();

    private static final List<byte[]> RECORDS = Stream.of(
                    new LedgerRecord.Described(
                            "d",
                            new DeviceDescription(
                                    Device.newBuilder().setDeviceId("d").build(),
                                    Capabilities.newBuilder().setMaxPorts(4).build(),
                                    DeviceInventory.newBuilder()
                                            .setDeviceId("d")
                                            .build())),
                    new LedgerRecord.Held("d", "r"),
                    new LedgerRecord.EpochRaised("d", "r", 3, "pod"),
                    new LedgerRecord.Claimed("d", "r", "dns:operator"),
                    new LedgerRecord.Admitted(
                            "d",
                            new StoredOperation(
                                    ByteString.copyFromUtf8("hash"),
                                    Scope.newBuilder().setAllPorts(true).build(),
                                    OPERATION)),
                    new LedgerRecord.Updated("d", OPERATION),
                    new LedgerRecord.Overridden("d", "4", PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE, "dirty", true),
                    new LedgerRecord.Owned("d", new CircuitPair("2", "8"), new CircuitOwner("r", "older")),
                    new LedgerRecord.Forgotten("d"))
            .map(RecordCodec::encode)
            .toList();

    @TempDir
    private Path directory;

    @Test
    void records() throws Exception {
        Fuzz.read(
                "ledger-record",
                RECORDS,
                IOException.class,
                record -> Ledger.open(directory, Clock.systemUTC(), 1 << 20, (path, replay) -> {
                            RECORDS.forEach(replay);
                            replay.accept(record);
                            return new Forgetful();
                        })
                        .close());
    }

    /** Takes everything and keeps nothing: what is read is the matter here. */
    private static final class Forgetful implements RecordLog {
        @Override
        public CompletableFuture<Void> append(byte[] bytes) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> rotate(Iterable<byte[]> snapshot) {
            snapshot.forEach(each -> {});
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public long sizeBytes() {
            return 0;
        }

        @Override
        public IOException failure() {
            return null;
        }

        @Override
        public void close() {}
    }
}
