package dev.lightpath.driver.cmis;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Selects bank and page by bytes 126 and 127. A module that has no such page shows page 00h instead and says so in these
 * bytes: they are read back before anything of the page is believed. A module that is busy is asked again for a while.
 */
final class PagedMemory implements ModuleMemory {
    private static final int SELECTS = 126;
    /** CMIS 5, 10.2.2: a module may be busy with a page for 10 ms; slow ones take longer. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long PAUSE_MILLIS = 2;
    private static final int LONGEST_WRITE = 8;

    private final Registers registers;
    private int bank = -1;
    private int page = -1;

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

    private void select(int wantedBank, int wantedPage) throws NotAnsweredException {
        if (wantedBank == bank && wantedPage == page) {
            return;
        }
        byte[] wanted = {(byte) wantedBank, (byte) wantedPage};
        bank = -1;
        patiently(() -> {
            registers.write(SELECTS, wanted);
            return wanted;
        });
        byte[] shown = patiently(() -> registers.read(SELECTS, wanted.length));
        if (!Arrays.equals(shown, wanted)) {
            throw new NotAnsweredException("it has no page %02Xh in bank %d: it selected page %02Xh of bank %d"
                    .formatted(wantedPage, wantedBank, shown[1] & 0xFF, shown[0] & 0xFF));
        }
        bank = wantedBank;
        page = wantedPage;
    }

    @Override
    public byte[] read(int ofBank, int ofPage, int offset, int length) throws NotAnsweredException {
        if (offset > LAST_LOWER) {
            select(ofBank, ofPage);
        }
        try {
            return patiently(() -> registers.read(offset, length));
        } catch (NotAnsweredException lost) {
            // another module may be plugged in by the next call: it has selected nothing
            bank = -1;
            throw lost;
        }
    }

    @Override
    public void write(int ofBank, int ofPage, int offset, byte[] bytes) throws NotAnsweredException {
        if (offset > LAST_LOWER) {
            select(ofBank, ofPage);
        }
        for (int from = 0; from < bytes.length; from += LONGEST_WRITE) {
            int start = from;
            byte[] part = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + LONGEST_WRITE));
            try {
                patiently(() -> {
                    registers.write(offset + start, part);
                    return part;
                });
            } catch (NotAnsweredException lost) {
                bank = -1;
                throw lost;
            }
        }
    }

    @Override
    public void close() {
        registers.close();
    }
}
