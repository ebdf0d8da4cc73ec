package dev.lightpath.driver.ledger;

import java.time.Instant;

/**
 * An operation in the memory of a device. One that is over is kept as the bytes of its record: a day may have many of
 * them, few are asked for again, and as objects they are five times as large.
 */
sealed interface KeptOperation {
    static KeptOperation of(String deviceId, StoredOperation stored) {
        return stored.isUnsettled() ? new Unsettled(deviceId, stored) : new Over(deviceId, stored);
    }

    StoredOperation stored();

    /** For the journal: an admitted operation. */
    byte[] record();

    /** Whether it ended before this second and awaits nothing. */
    boolean isOverBefore(Instant instant);

    /** It runs, its end is unknown, or it awaits a confirmation. */
    record Unsettled(String deviceId, StoredOperation stored) implements KeptOperation {
        @Override
        public byte[] record() {
            return RecordCodec.encode(new LedgerRecord.Admitted(deviceId, stored));
        }

        @Override
        public boolean isOverBefore(Instant instant) {
            return false;
        }
    }

    /** It ended. */
    final class Over implements KeptOperation {
        private final byte[] record;
        private final long finishedAtSeconds;

        private Over(String deviceId, StoredOperation stored) {
            record = new Unsettled(deviceId, stored).record();
            finishedAtSeconds = stored.operation().getFinishedAt().getSeconds();
        }

        @Override
        public StoredOperation stored() {
            return switch (RecordCodec.decode(record)) {
                case LedgerRecord.Admitted admitted -> admitted.stored();
                default -> throw new IllegalStateException("the record of an operation is another one");
            };
        }

        @Override
        public byte[] record() {
            return record;
        }

        @Override
        public boolean isOverBefore(Instant instant) {
            return finishedAtSeconds < instant.getEpochSecond();
        }
    }
}
