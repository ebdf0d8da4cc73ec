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
    /** The byte that selects a bank; the next one selects a page. */
    static final int BANK = 126;

    private static final int PAGE = 127;
    private static final int TEMPERATURE_FLAGS = 9;
    /** Lost signal, and the byte after it lost lock, a bit for each lane. */
    private static final int LANE_FLAGS = 147;

    private static final int LATE_TRANSACTIONS = 4;
    private static final double TENTHS_OF_MICROWATT = 1e4;
    private static final int CONTROL_PAGE = 0x10;
    /** In the status register: no position that the type describes. */
    private static final int UNKNOWN = 0x7F;

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
    private boolean latchedHot;
    private int looksAt;

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
        return !isBusy();
    }

    /** Whether it is busy with a page that was selected. */
    boolean isBusy() {
        return quirks.contains(Quirk.SLOW_PAGES) && System.nanoTime() - busyUntil < 0;
    }

    /** A transaction has ended. */
    void ended() {
        if (quirks.contains(Quirk.SECOND_PROGRAM)) {
            bank = 0;
            page = CONTROL_PAGE;
        }
    }

    byte[] read(int offset, int length) {
        byte[] bytes = new byte[length];
        Memory lower = lower(offset <= TEMPERATURE_FLAGS && TEMPERATURE_FLAGS < offset + length);
        Memory upper = null;
        for (int i = 0; i < length; i++) {
            int at = offset + i;
            if (at < SELECTOR) {
                bytes[i] = (byte) lower.get(at);
            } else if (at <= 255) {
                if (upper == null) {
                    upper = upper(offset <= LANE_FLAGS + 1 && LANE_FLAGS < offset + length);
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
                        case 0x00, 0x01, 0x02, CONTROL_PAGE, 0x11 -> true;
                        case Monitors.DESCRIPTORS_PAGE, Monitors.VALUES_PAGE, Monitors.CONTROL_PAGE ->
                            !quirks.contains(Quirk.NO_MONITORS);
                        case SELECTOR_PAGE, TRACE_PAGE -> !quirks.contains(Quirk.NO_VENDOR_PAGES);
                        default -> false;
                    };
            int before = page;
            bank = there ? bank : 0;
            page = there ? value : 0;
            busyUntil = page == before ? busyUntil : System.nanoTime() + SLOW_NANOS;
        } else if (at == SELECTOR && page == SELECTOR_PAGE) {
            written = value;
            if (value == DARK) {
                bench.select(0);
            } else if (value <= 2) {
                bench.select(value + 1);
            }
        } else if (at == SELECTOR && page == CONTROL_PAGE && value != 0) {
            // DataPathDeinit: a lane of the bundle sends no light any more
            bench.select(0);
        } else if (page == TRACE_PAGE && at >= SELECTOR && at < SELECTOR + TRACE_BYTES) {
            transmit[at - SELECTOR] = (byte) value;
        }
        // all else is read only, and a write to it does nothing
    }

    /** @param cleared whether the flag of its temperature is read, which clears it */
    private Memory lower(boolean cleared) {
        Report report = bench.report();
        look();
        boolean hot = latchedHot;
        if (cleared) {
            latchedHot = false;
            cleared();
        }
        int temperature = (int) Math.round(report.temperatureCelsius() * 256);
        String[] version = (bench.firmware() + ".0.0").split("\\.");
        return Memory.lower()
                .set(0, 0x19) // OSFP
                .set(1, 0x52) // CMIS 5.2
                .set(2, 0) // paged
                .set(3, 3 << 1) // ModuleReady
                .set(TEMPERATURE_FLAGS, hot ? 1 : 0)
                .word(14, temperature)
                .word(16, 33_000) // 3.3 V in 100 microvolts
                .set(39, number(version[0]))
                .set(40, number(version[1]))
                .set(BANK, bank)
                .set(PAGE, page);
    }

    private static boolean isHot(Report report) {
        return report.alarms().stream().anyMatch(alarm -> alarm.kind() == AlarmKind.TEMPERATURE);
    }

    private static int number(String text) {
        return text.matches("\\d{1,3}") ? Integer.parseInt(text) & 0xFF : 0;
    }

    /** @param flags whether flags of its lanes are read, which clears them */
    private Memory upper(boolean flags) {
        return switch (page) {
            case 0x01 ->
                Memory.page()
                        // bank 0 alone; whether there are monitors on pages 20h to 2Fh
                        .set(142, quirks.contains(Quirk.NO_MONITORS) ? 0 : 1 << 6)
                        .set(158, quirks.contains(Quirk.NO_FLAGS) ? 0 : 0b110) // LOS and CDR LOL flags of the receivers
                        .set(159, 1) // temperature
                        .set(160, quirks.contains(Quirk.NO_FLAGS) ? 0 : 0b100) // optical power of the receivers
                        .sum(130, 254, 255);
            case 0x02 ->
                Memory.page()
                        .word(128, 75 * 256) // temperature: high alarm
                        .word(194, 398) // receive power: low alarm, -14 dBm
                        .sum(128, 254, 255);
            case CONTROL_PAGE -> Memory.page();
            case 0x11 -> lanes(flags);
            case Monitors.DESCRIPTORS_PAGE -> Monitors.descriptors();
            case Monitors.VALUES_PAGE -> Monitors.values(bitErrorRatio());
            case Monitors.CONTROL_PAGE -> Memory.page(); // one group of monitors
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
        if (quirks.contains(Quirk.LATE_FLAGS) && transactions < looksAt) {
            return;
        }
        Report report = bench.report();
        latchedHot |= isHot(report);
        int position = position(report);
        if (position > 1 && !quirks.contains(Quirk.NO_FLAGS)) {
            LockState lock = port(report, position).lock();
            latchedLos |= lock == LockState.LOSS_OF_SIGNAL ? 0xFF : 0;
            latchedLol |= lock == LockState.ACQUIRING ? 0xFF : 0;
        }
    }

    private void cleared() {
        looksAt = transactions + LATE_TRANSACTIONS;
    }

    private Memory lanes(boolean cleared) {
        look();
        Report report = bench.report();
        int position = position(report);
        Memory page = Memory.page();
        // data path state DPActivated of all lanes
        for (int at = 128; at < 132; at++) {
            page.set(at, 0x44);
        }
        page.set(LANE_FLAGS, latchedLos).set(LANE_FLAGS + 1, latchedLol);
        if (cleared) {
            latchedLos = 0;
            latchedLol = 0;
            cleared();
        }
        double dbm = position > 1 && !quirks.contains(Quirk.NO_FLAGS)
                ? port(report, position).receivePowerDbm()
                : Double.NaN;
        int raw = Double.isNaN(dbm) ? 0 : (int) Math.round(Math.pow(10, dbm / 10) * TENTHS_OF_MICROWATT);
        for (int lane = 0; lane < LANES; lane++) {
            page.word(186 + 2 * lane, Math.min(raw, 0xFFFF));
        }
        return page;
    }

    private double bitErrorRatio() {
        Report report = bench.report();
        int position = position(report);
        return position > 1 ? port(report, position).bitErrorRatio() : Double.NaN;
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
                .set(STATUS, status(position))
                .set(FAILED, failed)
                .set(STUCK, stuck);
    }

    private int status(int position) {
        if (position > 1 && quirks.contains(Quirk.LOST_POSITION)) {
            return UNKNOWN;
        }
        return position < 0 ? MOVING : position == 0 ? DARK : position - 1;
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
