package dev.lightpath.sim.cmis;

import dev.lightpath.sim.core.AlarmKind;
import dev.lightpath.sim.core.LockState;
import dev.lightpath.sim.core.PortHealth;
import dev.lightpath.sim.core.Report;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.scenario.CmisSpec.Quirk;
import java.util.Arrays;
import java.util.Set;

/** The registers of one module, filled by what the hardware reports. One caller at a time. */
final class EmulatedModule {
    /** Where the path selector is. */
    static final int SELECTOR_PAGE = 0xB0;

    private static final int TRACE_PAGE = 0xB1;
    private static final int TRACE_BYTES = 64;
    private static final int SELECTOR = 128;
    private static final int STATUS = 129;
    private static final int FAILED = 130;
    private static final int STUCK = 131;
    private static final int RECEIVED = 192;
    private static final int DARK = 0xFF;
    private static final int MOVING = 0x80;
    private static final int LANES = 8;
    private static final int[] PORT_BITS = {8, 1, 2, 4};
    private static final int BANK = 126;
    private static final int PAGE = 127;
    private static final double TENTHS_OF_MICROWATT = 1e4;
    private static final long SLOW_NANOS = 5_000_000;

    /** What the module acts on. */
    interface Bench {
        Report report();

        /** First port of the module: common, then loop, path 1 and path 2. */
        int firstPort();

        /** Of a port of the plant, within its device. */
        String portName(int port);

        String serial();

        String firmware();

        /** Leads the light to the given port, 0: none. */
        void select(int port);

        /** Text that the module whose port this is sends; empty: none. */
        String transmitted(int port);
    }

    private final Bench bench;
    private final Set<Quirk> quirks;
    private final byte[] transmit = new byte[TRACE_BYTES];
    private int bank;
    private int page;
    private int written;
    private int transactions;
    private long busyUntil;
    private int latchedLos;
    private int latchedLol;

    EmulatedModule(Bench bench, Set<Quirk> quirks) {
        this.bench = bench;
        this.quirks = quirks;
    }

    /** What it sends to the far end. */
    byte[] transmit() {
        return transmit.clone();
    }

    /** Whether it acknowledges the next transaction. */
    boolean acknowledges() {
        transactions++;
        if (quirks.contains(Quirk.BUSY) && transactions % 3 == 0) {
            return false;
        }
        return !quirks.contains(Quirk.SLOW_PAGES) || System.nanoTime() - busyUntil > 0;
    }

    byte[] read(int offset, int length) {
        byte[] bytes = new byte[length];
        Memory lower = lower();
        Memory upper = null;
        for (int i = 0; i < length; i++) {
            int at = offset + i;
            if (at < SELECTOR) {
                bytes[i] = (byte) lower.get(at);
            } else if (at <= 255) {
                if (upper == null) {
                    upper = upper();
                }
                bytes[i] = (byte) upper.get(at);
            }
        }
        return bytes;
    }

    void write(int offset, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            write(offset + i, bytes[i] & 0xFF);
        }
    }

    private void write(int at, int value) {
        if (at == BANK) {
            bank = value;
        } else if (at == PAGE) {
            boolean there = bank == 0
                    && switch (value) {
                        case 0x00, 0x01, 0x02, 0x10, 0x11 -> true;
                        case SELECTOR_PAGE, TRACE_PAGE -> !quirks.contains(Quirk.NO_VENDOR_PAGES);
                        default -> false;
                    };
            bank = there ? bank : 0;
            page = there ? value : 0;
            busyUntil = System.nanoTime() + SLOW_NANOS;
        } else if (at == SELECTOR && page == SELECTOR_PAGE) {
            written = value;
            if (value == DARK) {
                bench.select(0);
            } else if (value <= 2) {
                bench.select(value + 1);
            }
        } else if (page == TRACE_PAGE && at >= SELECTOR && at < SELECTOR + TRACE_BYTES) {
            transmit[at - SELECTOR] = (byte) value;
        }
        // all else is read only, and a write to it does nothing
    }

    private Memory lower() {
        Report report = bench.report();
        boolean hot = report.alarms().stream().anyMatch(alarm -> alarm.kind() == AlarmKind.TEMPERATURE);
        int temperature = (int) Math.round(report.temperatureCelsius() * 256);
        String[] version = (bench.firmware() + ".0.0").split("\\.");
        return Memory.lower()
                .set(0, 0x19) // OSFP
                .set(1, 0x52) // CMIS 5.2
                .set(2, 0) // paged
                .set(3, 3 << 1) // ModuleReady
                .set(9, hot ? 1 : 0)
                .word(14, temperature)
                .word(16, 33_000) // 3.3 V in 100 microvolts
                .set(39, number(version[0]))
                .set(40, number(version[1]))
                .set(BANK, bank)
                .set(PAGE, page);
    }

    private static int number(String text) {
        return text.matches("\\d{1,3}") ? Integer.parseInt(text) & 0xFF : 0;
    }

    private Memory upper() {
        return switch (page) {
            case 0x01 ->
                Memory.page()
                        .set(142, 0) // bank 0 alone, no VDM
                        .set(158, 0b110) // LOS and CDR LOL flags of the receivers
                        .set(159, 1) // temperature
                        .set(160, 0b100) // optical power of the receivers
                        .sum(130, 254, 255);
            case 0x02 ->
                Memory.page()
                        .word(128, 75 * 256) // temperature: high alarm
                        .word(194, 398) // receive power: low alarm, -14 dBm
                        .sum(128, 254, 255);
            case 0x10 -> Memory.page();
            case 0x11 -> lanes();
            case SELECTOR_PAGE -> selector();
            case TRACE_PAGE -> traces();
            default -> plate();
        };
    }

    private Memory plate() {
        return Memory.page()
                .set(128, 0x19)
                .text(129, 16, quirks.contains(Quirk.OTHER_TYPE) ? "SOMEBODY" : "LIGHTPATH")
                .text(148, 16, quirks.contains(Quirk.OTHER_TYPE) ? "SR8" : "LP-OCSTRX-8")
                .text(164, 2, "1A")
                .text(166, 16, bench.serial())
                .sum(128, 221, 222);
    }

    private Report.PortView port(Report report, int number) {
        return report.ports().stream()
                .filter(each -> each.port() == bench.firstPort() + number)
                .findFirst()
                .orElseThrow();
    }

    /** Number of the port that the light is led to, 0: none; on its way, negative. */
    private int position(Report report) {
        for (Report.ConnectionView each : report.connections()) {
            if (each.ingress() == bench.firstPort() && each.state() != ConnectionState.BLOCKED) {
                int number = each.egress() - bench.firstPort();
                return each.state() == ConnectionState.TUNED ? number : -number;
            }
        }
        return 0;
    }

    /** Flags stay until they are read. To be called again and again. */
    void look() {
        Report report = bench.report();
        int position = position(report);
        if (position > 1) {
            LockState lock = port(report, position).lock();
            latchedLos |= lock == LockState.LOSS_OF_SIGNAL ? 0xFF : 0;
            latchedLol |= lock == LockState.ACQUIRING ? 0xFF : 0;
        }
    }

    private Memory lanes() {
        look();
        Report report = bench.report();
        int position = position(report);
        Memory page = Memory.page();
        // data path state DPActivated of all lanes
        for (int at = 128; at < 132; at++) {
            page.set(at, 0x44);
        }
        page.set(147, latchedLos).set(148, latchedLol);
        latchedLos = 0;
        latchedLol = 0;
        double dbm = position > 1 ? port(report, position).receivePowerDbm() : Double.NaN;
        int raw = Double.isNaN(dbm) ? 0 : (int) Math.round(Math.pow(10, dbm / 10) * TENTHS_OF_MICROWATT);
        for (int lane = 0; lane < LANES; lane++) {
            page.word(186 + 2 * lane, Math.min(raw, 0xFFFF));
        }
        return page;
    }

    private Memory selector() {
        Report report = bench.report();
        int position = position(report);
        int failed = 0;
        for (int number = 0; number < PORT_BITS.length; number++) {
            failed |= port(report, number).health() == PortHealth.FAILED ? PORT_BITS[number] : 0;
        }
        int stuck = 0;
        for (Report.AlarmView alarm : report.alarms()) {
            if (alarm.kind() == AlarmKind.STUCK) {
                for (int number = 0; number < PORT_BITS.length; number++) {
                    stuck |= name(number).equals(alarm.where()) ? PORT_BITS[number] : 0;
                }
            }
        }
        return Memory.page()
                .set(SELECTOR, written)
                .set(STATUS, position < 0 ? MOVING : position == 0 ? DARK : position - 1)
                .set(FAILED, failed)
                .set(STUCK, stuck);
    }

    private String name(int number) {
        return bench.portName(bench.firstPort() + number);
    }

    private Memory traces() {
        Report report = bench.report();
        int position = position(report);
        int heard = position > 1 ? port(report, position).heard() : -1;
        byte[] received = new byte[TRACE_BYTES];
        if (heard >= 0) {
            byte[] text = bench.transmitted(heard).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            System.arraycopy(text, 0, received, 0, Math.min(text.length, TRACE_BYTES));
        }
        return Memory.page()
                .bytes(SELECTOR, Arrays.copyOf(transmit, TRACE_BYTES))
                .bytes(RECEIVED, received);
    }
}
