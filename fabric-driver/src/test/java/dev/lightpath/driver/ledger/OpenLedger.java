package dev.lightpath.driver.ledger;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;

/** Opens a ledger and says how long that took, what it remembers, and what the process took of memory. */
final class OpenLedger {
    private OpenLedger() {}

    public static void main(String[] args) throws Exception {
        long began = System.nanoTime();
        try (Ledger ledger = Ledger.open(Path.of(args[0]), Clock.systemUTC(), 16L << 20)) {
            double seconds = (System.nanoTime() - began) / 1e9;
            String resident = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmHWM"))
                    .findFirst()
                    .orElse("VmHWM unknown");
            System.out.printf(
                    Locale.ROOT,
                    "epoch=%d bytes=%d seconds=%.1f %s%n",
                    ledger.device("d").epoch("r").epoch(),
                    ledger.journalBytes(),
                    seconds,
                    resident.replaceAll("\\s+", " "));
        }
    }
}
