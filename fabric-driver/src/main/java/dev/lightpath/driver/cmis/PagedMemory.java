package dev.lightpath.driver.cmis;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Selects bank and page by bytes 126 and 127, in the transaction of each access: another program on the bus may select
 * another page at any time, and a module that resets itself is at page 00h. A module that has no such page shows page
 * 00h instead and says so in these bytes: they are read with everything that is read of a page, and before each write.
 * A module that is busy is asked again for a while.
 */
final class PagedMemory implements ModuleMemory {
    /** CMIS 5, 10.2.2: a module may be busy with a page for 10 ms; slow ones take longer. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long PAUSE_MILLIS = 2;
    private static final int LONGEST_WRITE = 8;

    private final Registers registers;

    PagedMemory(Registers registers) {
        this.registers = registers;
    }

    private interface Transaction<T> {
        T run() throws BusyException, NotAnsweredException;
    }

    private static <T> T patiently(Transaction<T> transaction) throws NotAnsweredException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                return transaction.run();
            } catch (BusyException busy) {
                if (System.nanoTime() - end > 0) {
                    throw new NotAnsweredException(String.valueOf(busy.getMessage()));
                }
                pause();
            }
        }
    }

    private static void pause() throws NotAnsweredException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotAnsweredException("the driver is stopping");
        }
    }

    /** What a page holds, read while the module says that it shows that page. */
    private byte[] shown(int bank, int page, int offset, int length) throws NotAnsweredException {
        Registers.Shown shown = patiently(() -> registers.read(bank, page, offset, length));
        if (!shown.is(bank, page)) {
            // some take a page only when the transaction that selects it has ended
            byte[] wanted = {(byte) bank, (byte) page};
            patiently(() -> {
                registers.write(Registers.SELECTS, wanted);
                return wanted;
            });
            shown = patiently(() -> registers.read(bank, page, offset, length));
        }
        if (!shown.is(bank, page)) {
            throw new NotAnsweredException(
                    "it has no page %02Xh in bank %d: it selected %s".formatted(page, bank, shown));
        }
        return shown.bytes();
    }

    @Override
    public byte[] read(int bank, int page, int offset, int length) throws NotAnsweredException {
        return offset > LAST_LOWER
                ? shown(bank, page, offset, length)
                : patiently(() -> registers.read(offset, length));
    }

    @Override
    public void write(int bank, int page, int offset, byte[] bytes) throws NotAnsweredException {
        for (int from = 0; from < bytes.length; from += LONGEST_WRITE) {
            int at = offset + from;
            byte[] part = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + LONGEST_WRITE));
            if (offset > LAST_LOWER) {
                // a module without this page would take the bytes into page 00h
                var unused = shown(bank, page, Registers.SELECTS, 2);
            }
            patiently(() -> {
                if (offset > LAST_LOWER) {
                    registers.write(bank, page, at, part);
                } else {
                    registers.write(at, part);
                }
                return part;
            });
        }
    }

    @Override
    public void close() {
        registers.close();
    }
}
