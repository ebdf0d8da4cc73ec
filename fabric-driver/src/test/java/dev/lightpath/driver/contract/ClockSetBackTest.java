package dev.lightpath.driver.contract;

import static dev.lightpath.driver.contract.ObedientSwitch.DEVICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.driver.ledger.LedgerRecord;
import dev.lightpath.driver.ledger.StoredOperation;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the driver's machine is set back while the driver is away. */
final class ClockSetBackTest {
    private static final String ROLE = "r";
    private static final String ID = "unconfirmed";

    @TempDir
    private Path directory;

    @Test
    void whatNobodyConfirmedIsPutBackNoLaterThanWasAsked() throws Exception {
        Instant admitted = Instant.now();
        Operation applied = Operation.newBuilder()
                .setOperationId(ID)
                .setDeviceId(DEVICE)
                .setFencing(Fencing.newBuilder().setRole(ROLE).setEpoch(1))
                .setOutcome(Outcome.OUTCOME_APPLIED)
                .setAdmittedAt(Times.wire(admitted))
                .setConfirmBefore(Times.wire(admitted.plusMillis(200)))
                .build();
        ObedientSwitch device = new ObedientSwitch();
        try (FleetBench before = new FleetBench(directory, device)) {
            device.describe(DEVICE, 8);
            before.ledger
                    .write(new LedgerRecord.Admitted(
                            DEVICE, new StoredOperation(ByteString.EMPTY, Scope.getDefaultInstance(), applied)))
                    .join();
        }
        Clock setBack = Clock.offset(Clock.systemUTC(), Duration.ofDays(-1));
        ObedientSwitch same = new ObedientSwitch();
        try (FleetBench after = new FleetBench(setBack, directory, same)) {
            same.describe(DEVICE, 8);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> after.ledger.device(DEVICE).unsettled().isEmpty());
            assertThat(after.ledger.device(DEVICE).operation(ROLE, ID))
                    .hasValueSatisfying(stored ->
                            assertThat(stored.operation().getOutcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK));
        }
    }
}
