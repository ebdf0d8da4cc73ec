package dev.lightpath.driver.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.journal.Journal;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LedgerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path directory;

    private Ledger open(Instant now) throws Exception {
        return Ledger.open(directory, Clock.fixed(now, ZoneOffset.UTC), 1 << 20);
    }

    private static Operation operation(Outcome outcome) {
        return Operation.newBuilder()
                .setOperationId("op")
                .setDeviceId("d")
                .setFencing(Fencing.newBuilder().setRole("r").setEpoch(3))
                .setOutcome(outcome)
                .setFinishedAt(Timestamp.newBuilder().setSeconds(NOW.getEpochSecond()))
                .addItems(ItemResult.newBuilder()
                        .setAction(ItemAction.ITEM_ACTION_CONNECT)
                        .setKey(new CircuitPair("1", "9").toKey())
                        .setState(ItemState.ITEM_STATE_CONNECTED))
                .build();
    }

    private static List<LedgerRecord> oneOfEach() {
        return List.of(
                new LedgerRecord.Described(
                        "d",
                        new DeviceDescription(
                                Device.newBuilder().setDeviceId("d").build(),
                                Capabilities.newBuilder().setMaxPorts(4).build(),
                                DeviceInventory.newBuilder().setDeviceId("d").build())),
                new LedgerRecord.Held("d", "r"),
                new LedgerRecord.EpochRaised("d", "r", 3, "pod"),
                new LedgerRecord.GenerationShown("d", "r", 41),
                new LedgerRecord.Admitted(
                        "d",
                        new StoredOperation(
                                ByteString.copyFromUtf8("hash"),
                                Scope.newBuilder().setAllPorts(true).build(),
                                operation(Outcome.OUTCOME_IN_PROGRESS))),
                new LedgerRecord.Updated("d", operation(Outcome.OUTCOME_APPLIED)),
                new LedgerRecord.Overridden("d", "4", PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE, "dirty", true),
                new LedgerRecord.Owned("d", new CircuitPair("2", "8"), new CircuitOwner("r", "older")));
    }

    @Test
    void recordsSurviveEncoding() {
        assertThat(oneOfEach())
                .allSatisfy(r ->
                        assertThat(RecordCodec.decode(RecordCodec.encode(r))).isEqualTo(r));
    }

    @Test
    void anOverrideOfAnEarlierDriverSaysNothingOfTheShutter() {
        for (PortOverride override :
                List.of(PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE, PortOverride.PORT_OVERRIDE_SHUTTERED)) {
            boolean shut = override == PortOverride.PORT_OVERRIDE_SHUTTERED;
            LedgerRecord written = new LedgerRecord.Overridden("d", "4", override, "dirty", shut);
            byte[] bytes = RecordCodec.encode(written);
            assertThat(RecordCodec.decode(Arrays.copyOf(bytes, bytes.length - 1)))
                    .isEqualTo(written);
        }
    }

    /** A length below nothing, and an override that only a newer driver knows. */
    @Test
    void aRecordThatCannotBeReadKeepsTheDriverFromStartingInOneLine() throws Exception {
        byte[] length = RecordCodec.encode(new LedgerRecord.Updated("d", operation(Outcome.OUTCOME_APPLIED)));
        length[4] = (byte) 0x80;
        byte[] override = RecordCodec.encode(
                new LedgerRecord.Overridden("d", "4", PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE, "dirty", true));
        override[10] = 99;
        for (byte[] record : List.of(length, override)) {
            Path state = Files.createTempDirectory(directory, "state");
            try (Journal journal = Journal.open(state, bytes -> {})) {
                journal.append(record).join();
            }
            assertThatThrownBy(() -> Ledger.open(state, Clock.systemUTC(), 1 << 20))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(state + ": a record of the journal cannot be read: ")
                    .satisfies(
                            refused -> assertThat(refused.getMessage().lines()).hasSize(1));
        }
    }

    private static void assertRemembers(DeviceLedger device) {
        assertThat(device.holdingRole()).isEqualTo("r");
        assertThat(device.epoch("r")).isEqualTo(new EpochMark(3, "pod"));
        assertThat(device.epoch("other").epoch()).isZero();
        assertThat(device.generation("r")).isEqualTo(41);
        assertThat(device.generation("other")).isZero();
        assertThat(device.operation("r", "op").orElseThrow().operation().getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(device.owner(new CircuitPair("1", "9"))).contains(new CircuitOwner("r", "op"));
        assertThat(device.owner(new CircuitPair("2", "8"))).contains(new CircuitOwner("r", "older"));
        assertThat(device.override("4")).isEqualTo(PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
        assertThat(device.mayBeShut("4")).isTrue();
        assertThat(device.description()).isNotNull();
    }

    @Test
    void remembersAfterAReopenAndAfterCompaction() throws Exception {
        try (Ledger ledger = open(NOW)) {
            oneOfEach().forEach(r -> ledger.write(r).join());
            assertRemembers(ledger.device("d"));
        }
        try (Ledger ledger = open(NOW)) {
            assertRemembers(ledger.device("d"));
            ledger.compact().join();
            assertRemembers(ledger.device("d"));
        }
        try (Ledger ledger = open(NOW)) {
            assertRemembers(ledger.device("d"));
        }
    }

    /** There may be a day's worth of them. */
    @Test
    void keepsNoObjectsOfWhatIsOver() throws Exception {
        StoredOperation.Key key = new StoredOperation.Key("r", "op");
        try (Ledger ledger = open(NOW)) {
            oneOfEach().forEach(r -> ledger.write(r).join());
            DeviceLedger device = ledger.device("d");
            StoredOperation over =
                    device.operation(key.role(), key.operationId()).orElseThrow();
            assertThat(over.operation()).isEqualTo(operation(Outcome.OUTCOME_APPLIED));
            assertThat(device.operation(key.role(), key.operationId()).orElseThrow())
                    .isEqualTo(over)
                    .isNotSameAs(over);
            assertThat(device.unsettled()).isEmpty();
        }
    }

    @Test
    void forgetsOperationsAfterADayButNeverEpochs() throws Exception {
        try (Ledger ledger = open(NOW)) {
            oneOfEach().forEach(r -> ledger.write(r).join());
        }
        StoredOperation stored;
        try (Ledger ledger = open(NOW)) {
            stored = ledger.device("d").operation("r", "op").orElseThrow();
            assertThat(ledger.isExpired(stored)).isFalse();
        }
        try (Ledger ledger = open(NOW.plus(Duration.ofHours(25)))) {
            assertThat(ledger.isExpired(stored)).isTrue();
            assertThat(ledger.device("d").operation("r", "op")).isEmpty();
            assertThat(ledger.device("d").epoch("r").epoch()).isEqualTo(3);
            assertThat(ledger.device("d").owner(new CircuitPair("1", "9"))).isPresent();
        }
    }

    @Test
    void keepsItsInstanceId() throws Exception {
        String first;
        try (Ledger ledger = open(NOW)) {
            first = ledger.instanceId();
        }
        try (Ledger ledger = open(NOW)) {
            assertThat(ledger.instanceId()).isEqualTo(first);
        }
    }

    @Test
    void anInstanceIdThatALossOfPowerLeftEmptyIsNamedAnew() throws Exception {
        Files.createFile(directory.resolve("instance-id"));
        String named;
        try (Ledger ledger = open(NOW)) {
            named = ledger.instanceId();
        }
        assertThat(named).isNotBlank();
        try (Ledger ledger = open(NOW)) {
            assertThat(ledger.instanceId()).isEqualTo(named);
        }
    }

    private static Operation replaced(ItemState broken, boolean confirmed) {
        Operation.Builder operation = Operation.newBuilder()
                .setOperationId("swap")
                .setDeviceId("d")
                .setFencing(Fencing.newBuilder().setRole("r").setEpoch(3))
                .setOutcome(Outcome.OUTCOME_APPLIED)
                .setFinishedAt(Timestamp.newBuilder().setSeconds(NOW.getEpochSecond()))
                .addItems(ItemResult.newBuilder()
                        .setAction(ItemAction.ITEM_ACTION_DISCONNECT)
                        .setKey(new CircuitPair("2", "8").toKey())
                        .setState(broken));
        return confirmed
                ? operation.build()
                : operation
                        .setConfirmBefore(Timestamp.newBuilder().setSeconds(1))
                        .build();
    }

    private void writeUnconfirmed() throws Exception {
        try (Ledger ledger = open(NOW)) {
            ledger.write(new LedgerRecord.Owned("d", new CircuitPair("2", "8"), new CircuitOwner("before", "older")))
                    .join();
            Operation begun = replaced(ItemState.ITEM_STATE_UNKNOWN, false);
            ledger.write(new LedgerRecord.Admitted(
                            "d", new StoredOperation(ByteString.EMPTY, Scope.getDefaultInstance(), begun)))
                    .join();
            ledger.write(new LedgerRecord.Updated("d", replaced(ItemState.ITEM_STATE_DARK, false)))
                    .join();
            ledger.compact().join();
        }
    }

    @Test
    void knowsWhichOperationsAreNotOver() throws Exception {
        writeUnconfirmed();
        try (Ledger ledger = open(NOW)) {
            DeviceLedger device = ledger.device("d");
            ledger.write(new LedgerRecord.Admitted(
                            "d",
                            new StoredOperation(
                                    ByteString.EMPTY,
                                    Scope.getDefaultInstance(),
                                    operation(Outcome.OUTCOME_IN_PROGRESS))))
                    .join();
            assertThat(device.unsettled())
                    .extracting(stored -> stored.key().operationId())
                    .containsExactlyInAnyOrder("op", "swap");
            ledger.write(new LedgerRecord.Updated("d", operation(Outcome.OUTCOME_UNKNOWN)))
                    .join();
            ledger.write(new LedgerRecord.Updated("d", replaced(ItemState.ITEM_STATE_DARK, true)))
                    .join();
            assertThat(device.unsettled())
                    .extracting(stored -> stored.key().operationId())
                    .containsExactly("op");
            ledger.write(new LedgerRecord.Updated("d", operation(Outcome.OUTCOME_REJECTED)))
                    .join();
            assertThat(device.unsettled()).isEmpty();
        }
    }

    @Test
    void whatIsPutBackIsItsFormerOwnersAgain() throws Exception {
        writeUnconfirmed();
        try (Ledger ledger = open(NOW)) {
            DeviceLedger device = ledger.device("d");
            assertThat(device.owner(new CircuitPair("2", "8")))
                    .as("of a broken circuit")
                    .isEmpty();
            ledger.write(new LedgerRecord.Updated("d", replaced(ItemState.ITEM_STATE_ROLLED_BACK, true)))
                    .join();
            assertThat(device.owner(new CircuitPair("2", "8"))).contains(new CircuitOwner("before", "older"));
        }
    }

    @Test
    void whatIsNotPutBackIsNobodysOnceItIsConfirmed() throws Exception {
        writeUnconfirmed();
        try (Ledger ledger = open(NOW)) {
            ledger.write(new LedgerRecord.Updated("d", replaced(ItemState.ITEM_STATE_DARK, true)))
                    .join();
            ledger.write(new LedgerRecord.Updated("d", replaced(ItemState.ITEM_STATE_ROLLED_BACK, true)))
                    .join();
            assertThat(ledger.device("d").owner(new CircuitPair("2", "8"))).isEmpty();
        }
    }

    @Test
    void compactsByItselfWhenTheJournalHasGrown() throws Exception {
        try (Ledger ledger = Ledger.open(directory, Clock.fixed(NOW, ZoneOffset.UTC), 4096)) {
            for (int i = 1; i <= 2000; i++) {
                ledger.write(new LedgerRecord.EpochRaised("d", "r", i, "pod")).join();
            }
            assertThat(ledger.journalBytes()).isLessThan(20_000);
        }
        try (Ledger ledger = open(NOW)) {
            assertThat(ledger.device("d").epoch("r").epoch()).isEqualTo(2000);
        }
    }

    @Test
    void restartsBeforeACompactionDoNotRaiseItsThreshold() throws Exception {
        long epoch = 0;
        for (int start = 1; start <= 5; start++) {
            try (Ledger ledger = Ledger.open(directory, Clock.fixed(NOW, ZoneOffset.UTC), 16_384)) {
                assertThat(ledger.journalBytes()).as("at start %d", start).isLessThan(1000);
                while (ledger.journalBytes() < 12_000) {
                    ledger.write(new LedgerRecord.EpochRaised("d", "r", ++epoch, "pod"))
                            .join();
                }
            }
        }
        try (Ledger ledger = open(NOW)) {
            assertThat(ledger.device("d").epoch("r").epoch()).isEqualTo(epoch);
        }
    }

    /** A directory where the draft of the second start should be: nothing can be written there. */
    private Path draft() {
        return directory.resolve("journal-000000000003.log.draft");
    }

    private void preventCompactions() throws Exception {
        Files.createDirectories(draft().resolve("full"));
    }

    private void allowCompactions() throws Exception {
        Files.delete(draft().resolve("full"));
        Files.delete(draft());
    }

    @Test
    void aCompactionThatFailsIsNoReasonToRefuseChanges() throws Exception {
        try (Ledger ledger = open(NOW)) {
            oneOfEach().forEach(r -> ledger.write(r).join());
        }
        preventCompactions();
        try (Ledger ledger = open(NOW)) {
            assertThat(ledger.compact()).failsWithin(Duration.ofSeconds(60));
            assertThat(ledger.failure()).isNull();
            assertThat(ledger.compactionFailure()).isNotNull();
            ledger.write(new LedgerRecord.EpochRaised("d", "r", 4, "pod")).join();
            allowCompactions();
            ledger.compact().join();
            assertThat(ledger.compactionFailure()).isNull();
            assertThat(ledger.compactionsFailed()).isEqualTo(2);
        }
        try (Ledger ledger = open(NOW)) {
            assertThat(ledger.device("d").epoch("r").epoch()).isEqualTo(4);
        }
    }

    @Test
    void afterATornEndNothingIsWrittenBeforeItIsRewrittenAndThenAllIsKept() throws Exception {
        try (Ledger ledger = open(NOW)) {
            oneOfEach().forEach(r -> ledger.write(r).join());
        }
        Path segment = directory.resolve("journal-000000000002.log");
        Files.write(segment, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        preventCompactions();
        try (Ledger ledger = open(NOW)) {
            List<List<StoredOperation>> told = new CopyOnWriteArrayList<>();
            ledger.onCaughtUp((device, late) -> told.add(late));
            assertThat(ledger.failure()).hasMessageContaining("torn");
            assertRemembers(ledger.device("d"));
            Operation next = operation(Outcome.OUTCOME_APPLIED).toBuilder()
                    .setOperationId("late")
                    .build();
            StoredOperation late = new StoredOperation(ByteString.EMPTY, Scope.getDefaultInstance(), next);
            assertThat(ledger.write(new LedgerRecord.Admitted("d", late))).failsWithin(Duration.ofSeconds(60));
            assertThat(ledger.written("d", late.key())).isCompletedExceptionally();
            allowCompactions();
            ledger.compact().join();
            assertThat(ledger.failure()).isNull();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told.equals(List.of(List.of(late))));
            assertThat(ledger.written("d", late.key())).isCompleted();
        }
        assertThat(directory.resolve("journal-000000000002.torn")).hasBinaryContent(new byte[] {1, 2, 3});
        try (Ledger ledger = open(NOW)) {
            assertRemembers(ledger.device("d"));
            assertThat(ledger.device("d").operation("r", "late")).isPresent();
        }
    }
}
