package dev.lightpath.app;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that compute for long: searches and the reading of recorded traffic. On Linux each gets the least share of
 * processor time (nice 19), so that the planning loop and the driver calls do not wait for them on a machine with few
 * cores. Java's own thread priorities do nothing there.
 */
public final class BackgroundThread {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundThread.class);

    /** PRIO_PROCESS of setpriority(2): with id 0 the calling thread. */
    private static final int PROCESS = 0;

    private static final int NICEST = 19;

    private BackgroundThread() {}

    /** A daemon thread, not started. */
    public static Thread of(String name, Runnable work) {
        return Thread.ofPlatform().name(name).daemon(true).unstarted(() -> {
            yieldToOthers();
            work.run();
        });
    }

    private static void yieldToOthers() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return;
        }
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle setPriority = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("setpriority"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int refused = (int) setPriority.invokeExact(PROCESS, 0, NICEST);
            if (refused != 0) {
                LOG.warn("the system does not let a thread have less processor time");
            }
        } catch (Throwable e) {
            // it works without, at the price of slower repairs while it does
            LOG.atWarn().setCause(e).log("a thread that computes for long has its full share of processor time");
        }
    }
}
