package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The leader stands still in the middle of a call, longer than its Lease; another leads and finishes the act; then the
 * older one goes on, its call reaches the driver, and it believes to lead until it looks.
 */
final class TwoLeaders implements Disturbance, WriteTap.Listener {
    /** By then it has noticed: it renews its Lease every two seconds. */
    private static final long NOTICE_SECONDS = 15;

    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicBoolean met = new AtomicBoolean();
    private volatile Optional<Process> older = Optional.empty();
    private volatile Installation all;

    @Override
    public String name() {
        return "two leaders";
    }

    @Override
    public void begin(Installation installation) {
        all = installation;
        all.deviceTap.listen(this);
    }

    @Override
    public boolean before(int number, String what) {
        if (met.compareAndSet(false, true)) {
            try {
                older = Optional.of(all.outlive(TwoLeaders::stop));
                released.await();
            } catch (IOException e) {
                throw new AssertionError(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return true;
    }

    @Override
    public void after(int number, String what) {}

    private static void stop(Process process) {
        signal("STOP", process);
    }

    private static void signal(String signal, Process process) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            assertThat(code).as("kill -" + signal).isZero();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void end(Installation installation, LightLog light) throws InterruptedException {
        light.read();
        int moves = light.moves();
        older.ifPresent(process -> signal("CONT", process));
        released.countDown();
        if (older.isPresent()) {
            TimeUnit.SECONDS.sleep(NOTICE_SECONDS);
            light.read();
            assertThat(light.moves())
                    .as("what the older leader still had to say moves light")
                    .isEqualTo(moves);
            older.orElseThrow().destroyForcibly();
        }
        all.deviceTap.listen(WriteTap.SILENT);
    }

    @Override
    public boolean met() {
        return met.get();
    }
}
