package dev.lightpath.driver.journal;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A process that writes numbers and rewrites its journal without end; tells each number that is durable. */
final class EndlessCompaction {
    private EndlessCompaction() {}

    /** Arguments: the directory, and in which record of which snapshot to end the process, or 0 0. */
    public static void main(String[] args) throws Exception {
        int haltInSnapshot = Integer.parseInt(args[1]);
        int haltAtRecord = Integer.parseInt(args[2]);
        List<byte[]> numbers = new ArrayList<>();
        Journal journal = Journal.open(Path.of(args[0]), numbers::add);
        journal.rotate(List.copyOf(numbers)).join();
        for (int snapshot = 1; ; snapshot++) {
            for (int i = 0; i < 3; i++) {
                byte[] next = ByteBuffer.allocate(Integer.BYTES)
                        .putInt(numbers.size() + 1)
                        .array();
                numbers.add(next);
                journal.append(next).join();
                System.out.println(numbers.size());
            }
            List<byte[]> now = List.copyOf(numbers);
            var unused = journal.rotate(snapshot == haltInSnapshot ? halting(now, haltAtRecord) : now);
        }
    }

    private static Iterable<byte[]> halting(List<byte[]> records, int at) {
        return () -> {
            Iterator<byte[]> all = records.iterator();
            return new Iterator<>() {
                private int passed;

                @Override
                public boolean hasNext() {
                    if (++passed == at) {
                        Runtime.getRuntime().halt(9);
                    }
                    return all.hasNext();
                }

                @Override
                public byte[] next() {
                    return all.next();
                }
            };
        };
    }
}
