package dev.lightpath.app.cluster;

import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.reading.AllocationCodec;
import dev.lightpath.reading.SliceParts;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The record of a slice as it was read.
 *
 * @param uid of the slice
 * @param first part 0 as it is on the API server, null without one
 */
record ReadRecord(String uid, LedgerEntry read, @Nullable Allocation first) {
    /**
     * @param others slices of its namespace, by name: the parts of the record may be among them
     * @throws IllegalArgumentException if this version cannot read it
     */
    static ReadRecord of(FabricSlice slice, Function<String, @Nullable FabricSlice> others) {
        Allocation first = first(slice);
        return first == null
                ? none(slice)
                : new ReadRecord(
                        slice.getMetadata().getUid(),
                        new LedgerEntry(
                                Optional.of(AllocationCodec.read(SliceParts.joined(slice, others))),
                                slice.getMetadata().getResourceVersion()),
                        first);
    }

    /** Of a slice without one. */
    static ReadRecord none(FabricSlice slice) {
        return new ReadRecord(
                slice.getMetadata().getUid(),
                new LedgerEntry(
                        Optional.empty(), slice.getMetadata().getResourceVersion(), false, RecordMarks.isMarked(slice)),
                null);
    }

    /** Part 0 of a slice's record, null without one. */
    static @Nullable Allocation first(FabricSlice slice) {
        return slice.getStatus() == null ? null : slice.getStatus().allocation();
    }

    /** The same with a record that was just written. */
    ReadRecord with(dev.lightpath.planner.world.Allocation allocation, FabricSlice written) {
        return new ReadRecord(
                uid,
                new LedgerEntry(Optional.of(allocation), written.getMetadata().getResourceVersion()),
                first(written));
    }

    /** Whether another reading shows the same record of the same slice. */
    boolean isAs(ReadRecord other) {
        return uid.equals(other.uid)
                && Objects.equals(first, other.first)
                && read.lost() == other.read.lost()
                && read.hadRecord() == other.read.hadRecord();
    }

    /** Whether there was never one. */
    boolean neverWritten() {
        return first == null && !read.hadRecord();
    }
}
