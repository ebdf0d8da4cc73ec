package dev.lightpath.driver.cmis;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/**
 * A module at address 0x50 of an I2C bus of Linux ({@code /dev/i2c-N}, the kernel's module i2c-dev). Each transaction
 * is one {@code ioctl} I2C_RDWR, so that other programs on the bus cannot come between a page, an offset and its bytes.
 */
final class I2cRegisters implements Registers {
    private static final short MODULE = 0x50;
    private static final int READ_AND_WRITE = 2;
    private static final long I2C_RDWR = 0x0707;
    private static final short I2C_M_RD = 1;
    /** A page, the page that is shown, and an access. */
    private static final int MOST_MESSAGES = 5;

    private static final int ENOENT = 2;
    private static final int EIO = 5;
    private static final int EACCES = 13;
    private static final int ENXIO = 6;
    private static final int EAGAIN = 11;
    private static final int EREMOTEIO = 121;

    /** {@code struct i2c_msg}. */
    private static final StructLayout MESSAGE = MemoryLayout.structLayout(
            JAVA_SHORT.withName("addr"),
            JAVA_SHORT.withName("flags"),
            JAVA_SHORT.withName("len"),
            MemoryLayout.paddingLayout(2),
            ADDRESS.withName("buf"));

    private static final long MESSAGE_LENGTH = MESSAGE.byteSize();

    /** {@code struct i2c_rdwr_ioctl_data}. */
    private static final StructLayout TRANSACTION = MemoryLayout.structLayout(
            ADDRESS.withName("msgs"), JAVA_INT.withName("nmsgs"), MemoryLayout.paddingLayout(4));

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAUGHT = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAUGHT.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle OPEN =
            handle("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle IOCTL = handle(
            "ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final Path device;
    private final int descriptor;
    private boolean closed;

    I2cRegisters(Path device) throws NotAnsweredException {
        this.device = device;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment caught = arena.allocate(CAUGHT);
            this.descriptor = call(OPEN, caught, arena.allocateFrom(device.toString()), READ_AND_WRITE);
            if (descriptor < 0) {
                throw new NotAnsweredException(device + " cannot be opened: " + opening(errno(caught)));
            }
        }
    }

    private static MethodHandle handle(String name, FunctionDescriptor as, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        all[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(options, 0, all, 1, options.length);
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), as, all);
    }

    private static int call(MethodHandle function, Object... arguments) {
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("functions of the C library throw nothing", e);
        }
    }

    private static String opening(int errno) {
        return switch (errno) {
            case ENOENT -> "no such file";
            case EACCES -> "permission denied";
            default -> "error " + errno;
        };
    }

    private static int errno(MemorySegment caught) {
        return (int) ERRNO.get(caught, 0L);
    }

    @Override
    public synchronized byte[] read(int offset, int length) throws BusyException, NotAnsweredException {
        try (Arena arena = Arena.ofConfined()) {
            Messages messages = new Messages(arena);
            MemorySegment bytes = messages.read(offset, length);
            transact(arena, messages);
            return bytes.toArray(JAVA_BYTE);
        }
    }

    @Override
    public synchronized void write(int offset, byte[] bytes) throws BusyException, NotAnsweredException {
        try (Arena arena = Arena.ofConfined()) {
            Messages messages = new Messages(arena);
            messages.write(offset, bytes);
            transact(arena, messages);
        }
    }

    @Override
    public synchronized Shown read(int bank, int page, int offset, int length)
            throws BusyException, NotAnsweredException {
        try (Arena arena = Arena.ofConfined()) {
            Messages messages = new Messages(arena);
            messages.write(SELECTS, (byte) bank, (byte) page);
            MemorySegment shown = messages.read(SELECTS, 2);
            MemorySegment bytes = messages.read(offset, length);
            transact(arena, messages);
            return new Shown(shown.get(JAVA_BYTE, 0) & 0xFF, shown.get(JAVA_BYTE, 1) & 0xFF, bytes.toArray(JAVA_BYTE));
        }
    }

    @Override
    public synchronized void write(int bank, int page, int offset, byte[] bytes)
            throws BusyException, NotAnsweredException {
        try (Arena arena = Arena.ofConfined()) {
            Messages messages = new Messages(arena);
            messages.write(SELECTS, (byte) bank, (byte) page);
            messages.write(offset, bytes);
            transact(arena, messages);
        }
    }

    /** The messages of one transaction. */
    private static final class Messages {
        private final Arena arena;
        private final MemorySegment all;
        private int count;

        Messages(Arena arena) {
            this.arena = arena;
            this.all = arena.allocate(MESSAGE, MOST_MESSAGES);
        }

        void write(int offset, byte... bytes) {
            MemorySegment from = arena.allocate(JAVA_BYTE, 1L + bytes.length);
            from.set(JAVA_BYTE, 0, (byte) offset);
            MemorySegment.copy(bytes, 0, from, JAVA_BYTE, 1, bytes.length);
            add((short) 0, from);
        }

        /** Where the bytes are afterwards. */
        MemorySegment read(int offset, int length) {
            write(offset);
            MemorySegment to = arena.allocate(JAVA_BYTE, length);
            add(I2C_M_RD, to);
            return to;
        }

        private void add(short flags, MemorySegment bytes) {
            MemorySegment message = all.asSlice(count * MESSAGE_LENGTH, MESSAGE_LENGTH);
            message.set(JAVA_SHORT, 0, MODULE);
            message.set(JAVA_SHORT, 2, flags);
            message.set(JAVA_SHORT, 4, (short) bytes.byteSize());
            message.set(ADDRESS, 8, bytes);
            count++;
        }
    }

    /** Whether a driver of the kernel says so that a module did not acknowledge: those of buses in FPGAs say EIO. */
    static boolean isNotAcknowledged(int errno) {
        return errno == ENXIO || errno == EREMOTEIO || errno == EAGAIN || errno == EIO;
    }

    private void transact(Arena arena, Messages messages) throws BusyException, NotAnsweredException {
        if (closed) {
            throw new NotAnsweredException(device + " is closed");
        }
        MemorySegment transaction = arena.allocate(TRANSACTION);
        transaction.set(ADDRESS, 0, messages.all);
        transaction.set(JAVA_INT, 8, messages.count);
        MemorySegment caught = arena.allocate(CAUGHT);
        int done = call(IOCTL, caught, descriptor, I2C_RDWR, transaction);
        if (done < 0) {
            int errno = errno(caught);
            if (isNotAcknowledged(errno)) {
                throw new BusyException("it does not acknowledge (NACK) on " + device);
            }
            throw new NotAnsweredException("a transaction on " + device + " failed: error " + errno);
        }
        if (done < messages.count) {
            // what was not read is zero, and may be the value of a position
            throw new BusyException("it acknowledged " + done + " of " + messages.count + " messages on " + device);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (Arena arena = Arena.ofConfined()) {
            var unused = call(CLOSE, arena.allocate(CAUGHT), descriptor);
        }
    }
}
