package dev.lightpath.driver.cmis;

import dev.lightpath.driver.config.ModuleType;
import dev.lightpath.driver.config.ModuleType.PortBits;
import dev.lightpath.driver.config.ModuleType.Register;
import dev.lightpath.driver.config.ModuleType.Status;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** One module: the registers of CMIS, and those of its vendor by its type. */
final class CmisModule implements AutoCloseable {
    private static final int ADVERTISING_PAGE = 0x01;
    /** Bytes 158 to 160: flags of the receivers, monitors of the module, monitors of the lanes (CMIS 5, 8.4.8). */
    private static final int ADVERTISED = 158;

    /** Pages beside the usual ones; bit 6: those of versatile diagnostics monitors (CMIS 5, 8.4.4). */
    private static final int PAGES = 142;

    private static final int LANES_PAGE = 0x11;
    private static final int RX_LOS = 147;
    private static final int RX_POWER = 186;
    private static final int LANES = 8;
    private static final int STATE = 3;
    private static final int READY = 3;
    private static final int FAULT = 5;
    private static final double TENTHS_OF_MICROWATT = 1e-4;
    private static final long LOOK_MILLIS = 1;

    private final ModuleMemory memory;
    private final ModuleType type;
    private final Identity identity;
    private final boolean tellsLoss;
    private final boolean tellsLock;
    private final boolean measuresPower;
    private final boolean hasMonitors;
    private @Nullable BitErrors bitErrors;

    /**
     * @param identity as it was read when it was plugged in
     * @param pages byte of page 01h, likewise
     * @param advertised bytes of page 01h, likewise
     */
    private CmisModule(ModuleMemory memory, ModuleType type, Identity identity, byte pages, byte[] advertised) {
        this.hasMonitors = (pages & 1 << 6) != 0;
        this.tellsLoss = (advertised[0] & 1 << 1) != 0;
        this.tellsLock = (advertised[0] & 1 << 2) != 0;
        this.measuresPower = (advertised[2] & 1 << 2) != 0;
        this.memory = memory;
        this.type = type;
        this.identity = identity;
    }

    /**
     * @throws NotAnsweredException when it does not answer, or is of another type
     */
    static CmisModule of(ModuleMemory memory, ModuleType type) throws NotAnsweredException {
        Identity identity = Identity.of(memory);
        if (!type.describes(identity.vendor(), identity.partNumber())) {
            throw new NotAnsweredException("it is a '" + identity.vendor() + "' '" + identity.partNumber()
                    + "', which is not of the type that " + type.file() + " describes: plug in another module, or name"
                    + " the file of its type");
        }
        return new CmisModule(
                memory,
                type,
                identity,
                memory.read(0, ADVERTISING_PAGE, PAGES, 1)[0],
                memory.read(0, ADVERTISING_PAGE, ADVERTISED, 3));
    }

    Identity identity() {
        return identity;
    }

    ModuleType type() {
        return type;
    }

    /** Whether the module in the cage is the one that this was made for. */
    boolean isThere() throws NotAnsweredException {
        return Identity.of(memory).equals(identity);
    }

    /** What is wrong with the module as a whole; empty when it is ready. */
    Optional<String> trouble() throws NotAnsweredException {
        int state = (memory.read(0, 0, STATE, 1)[0] >> 1) & 7;
        return switch (state) {
            case READY -> Optional.empty();
            case FAULT ->
                Optional.of(
                        "the module is in state ModuleFault, cause %d".formatted(memory.read(0, 0, 41, 1)[0] & 0xFF));
            default -> Optional.of("the module is not ready: its state is " + state + " (CMIS 6.3.2), needed is 3");
        };
    }

    double temperatureCelsius() throws NotAnsweredException {
        byte[] raw = memory.read(0, 0, 14, 2);
        return (short) ((raw[0] & 0xFF) << 8 | raw[1] & 0xFF) / 256.0;
    }

    /** Whether its temperature is, or was since it was asked last, above its alarm threshold. */
    boolean tooHot() throws NotAnsweredException {
        return (flags(0, 9, 1)[0] & 1) != 0;
    }

    /**
     * Flags that stand, or stood since they were read last. They are latched, and cleared by reading. A module sets one
     * that stands again when it looks next: at once, or up to 100 ms later. So what is gone is told by the next
     * reading.
     */
    private byte[] flags(int page, int offset, int length) throws NotAnsweredException {
        byte[] first = memory.read(0, page, offset, length);
        byte[] again = memory.read(0, page, offset, length);
        for (int i = 0; i < length; i++) {
            again[i] |= first[i];
        }
        return again;
    }

    /** What its receivers see. */
    enum Light {
        LOST,
        UNLOCKED,
        LOCKED,
        /** The module has no flag that tells. */
        UNTOLD
    }

    /**
     * What its receivers say now.
     *
     * @param light of the worst lane
     * @param powerDbm the lowest of its lanes; empty: the module measures none
     * @param bitErrorRatio share of wrong bits before correction, of the worst lane; empty: not measured, or not now
     */
    record Reception(Light light, OptionalDouble powerDbm, OptionalDouble bitErrorRatio) {}

    Reception reception() throws NotAnsweredException {
        byte[] flags = flags(LANES_PAGE, RX_LOS, 2);
        Light light = !tellsLoss
                ? Light.UNTOLD
                : (flags[0] & type.lanes()) != 0
                        ? Light.LOST
                        : tellsLock && (flags[1] & type.lanes()) != 0 ? Light.UNLOCKED : Light.LOCKED;
        return new Reception(
                light, measuresPower ? OptionalDouble.of(lowestPower()) : OptionalDouble.empty(), bitErrorRatio(light));
    }

    /**
     * A receiver that is not locked counts nothing. A module that does not have the pages that it advertises is used
     * without.
     */
    private OptionalDouble bitErrorRatio(Light light) {
        if (!hasMonitors || light != Light.LOCKED) {
            return OptionalDouble.empty();
        }
        try {
            BitErrors known = bitErrors == null ? BitErrors.of(memory, type.lanes()) : bitErrors;
            OptionalDouble worst = known.worst(memory);
            // descriptors of a module that is not ready may change
            bitErrors = worst.isPresent() && trouble().isEmpty() ? known : null;
            return worst;
        } catch (NotAnsweredException e) {
            return OptionalDouble.empty();
        }
    }

    private double lowestPower() throws NotAnsweredException {
        byte[] powers = memory.read(0, LANES_PAGE, RX_POWER, 2 * LANES);
        double lowest = Double.POSITIVE_INFINITY;
        for (int lane = 0; lane < LANES; lane++) {
            if ((type.lanes() & 1 << lane) != 0) {
                int raw = (powers[2 * lane] & 0xFF) << 8 | powers[2 * lane + 1] & 0xFF;
                lowest = Math.min(lowest, 10 * Math.log10(raw * TENTHS_OF_MICROWATT));
            }
        }
        return lowest;
    }

    private int value(Register register) throws NotAnsweredException {
        return memory.read(register.bank(), register.page(), register.offset(), 1)[0] & 0xFF;
    }

    Position position() throws NotAnsweredException {
        Status status = type.status();
        int value = value(status.register());
        if (value == status.loop()) {
            return Position.LOOP;
        }
        if (value == status.path1()) {
            return Position.PATH_1;
        }
        if (value == status.path2()) {
            return Position.PATH_2;
        }
        if (status.moving().filter(moving -> moving == value).isPresent()) {
            return Position.MOVING;
        }
        if (type.selector().dark().filter(dark -> dark == value).isPresent()) {
            return Position.DARK;
        }
        return Position.FAILED;
    }

    /** Where the selector was told to lead; {@link Position#DARK} if nowhere, or if it was told nothing. */
    Position wanted() throws NotAnsweredException {
        var selector = type.selector();
        int value = value(selector.register());
        return value == selector.loop()
                ? Position.LOOP
                : value == selector.path1()
                        ? Position.PATH_1
                        : value == selector.path2() ? Position.PATH_2 : Position.DARK;
    }

    /** Bits of its ports by this register; 0 where the type has none. */
    int bits(Optional<PortBits> of) throws NotAnsweredException {
        return of.isPresent() ? value(of.get().register()) : 0;
    }

    /**
     * Writes the position, and waits until the module moves or has settled. It is written once: a write that may have
     * been taken is not repeated.
     *
     * @return where it leads then
     */
    Position select(Position wanted) throws NotAnsweredException {
        int value = switch (wanted) {
            case LOOP -> type.selector().loop();
            case PATH_1 -> type.selector().path1();
            case PATH_2 -> type.selector().path2();
            case DARK -> type.selector().dark().orElseThrow();
            case MOVING, FAILED -> throw new IllegalArgumentException("no position: " + wanted);
        };
        Register selector = type.selector().register();
        memory.write(selector.bank(), selector.page(), selector.offset(), new byte[] {(byte) value});
        long end = System.nanoTime() + type.settles().toNanos();
        Position reached = position();
        // one that says that it moves is watched by the contract; one that does not may still begin
        while (reached != wanted && reached != Position.MOVING && System.nanoTime() - end < 0) {
            pause();
            reached = position();
        }
        return reached;
    }

    private static void pause() throws NotAnsweredException {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotAnsweredException("the driver is stopping");
        }
    }

    /** Says to the far end where its light comes from, if the type can and does not say it yet. */
    void transmit(String text) throws NotAnsweredException {
        if (type.trace().isEmpty()) {
            return;
        }
        var trace = type.trace().get();
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length > trace.length()) {
            return;
        }
        byte[] padded = Arrays.copyOf(bytes, trace.length());
        Register to = trace.transmit();
        if (!Arrays.equals(memory.read(to.bank(), to.page(), to.offset(), trace.length()), padded)) {
            memory.write(to.bank(), to.page(), to.offset(), padded);
        }
    }

    /** What the far end says, as far as it is a text; empty where it says nothing. */
    String received() throws NotAnsweredException {
        if (type.trace().isEmpty()) {
            return "";
        }
        var trace = type.trace().get();
        Register from = trace.receive();
        byte[] bytes = memory.read(from.bank(), from.page(), from.offset(), trace.length());
        int end = 0;
        while (end < bytes.length && bytes[end] > 0x20 && bytes[end] < 0x7F) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        memory.close();
    }
}
