package dev.lightpath.driver.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.journal.Journal;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A journal that is many times the heap opens: it is read record by record, and operations that are over are not kept.
 * {@code -Dlightpath.journal.mib=1024 -Dlightpath.journal.heap=256m} tries another size.
 */
final class LargeJournalTest {
    private static final int MIB = Integer.getInteger("lightpath.journal.mib", 64);
    private static final String HEAP = System.getProperty("lightpath.journal.heap", "24m");

    @TempDir
    private Path directory;

    /** Two days ago an operation was admitted, made a circuit, and ended; some 900 bytes in all. */
    private static Stream<byte[]> change(int number) {
        Operation.Builder operation = Operation.newBuilder()
                .setOperationId("operation-" + number)
                .setDeviceId("d")
                .setFencing(Fencing.newBuilder().setRole("r").setEpoch(number).setHolder("pod"))
                .setOutcome(Outcome.OUTCOME_IN_PROGRESS);
        for (int i = 0; i < 8; i++) {
            operation.addItems(ItemResult.newBuilder()
                    .setAction(ItemAction.ITEM_ACTION_CONNECT)
                    .setKey(new CircuitPair("ingress-" + i, "egress-" + (number + i) % 64).toKey())
                    .setState(ItemState.ITEM_STATE_UNKNOWN));
        }
        StoredOperation admitted =
                new StoredOperation(ByteString.copyFrom(new byte[32]), Scope.getDefaultInstance(), operation.build());
        operation
                .setOutcome(Outcome.OUTCOME_APPLIED)
                .setFinishedAt(Timestamp.newBuilder().setSeconds(Instant.now().getEpochSecond() - 48 * 3600));
        return Stream.of(
                        new LedgerRecord.EpochRaised("d", "r", number, "pod"),
                        new LedgerRecord.Admitted("d", admitted),
                        new LedgerRecord.Updated("d", operation.build()))
                .map(RecordCodec::encode);
    }

    @Test
    void aJournalOfManyTimesTheHeapOpens() throws Exception {
        long each = change(1_000_000).mapToLong(bytes -> bytes.length + 4L).sum();
        int changes = (int) (((long) MIB << 20) / each) + 1;
        try (Journal journal = Journal.open(directory, bytes -> {})) {
            journal.rotate(() -> Stream.iterate(1_000_000, n -> n + 1)
                            .limit(changes)
                            .flatMap(LargeJournalTest::change)
                            .iterator())
                    .join();
            assertThat(journal.sizeBytes()).isGreaterThanOrEqualTo((long) MIB << 20);
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx" + HEAP,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OpenLedger.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        List<String> said = process.inputReader(StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).as(String.join("\n", said)).isZero();
        System.out.println("a journal of " + MIB + " MiB in a heap of " + HEAP + ": " + said.getLast());
        assertThat(said.getLast()).startsWith("epoch=" + (1_000_000 + changes - 1) + " ");
        try (Ledger ledger = Ledger.open(directory, Clock.systemUTC(), 16L << 20)) {
            assertThat(ledger.journalBytes()).as("rewritten when it was opened").isLessThan(1 << 20);
        }
    }
}
