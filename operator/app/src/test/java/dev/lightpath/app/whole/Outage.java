package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A part does not answer, or late, from before the act happens. */
final class Outage implements Disturbance {
    /** What the hardware does by itself is over by then. */
    private static final Duration SETTLED = Duration.ofSeconds(2);

    private final String name;
    private final Duration time;
    private final Consumer<Installation> begins;
    private final Consumer<Installation> ends;

    private Outage(String name, Duration time, Consumer<Installation> begins, Consumer<Installation> ends) {
        this.name = name;
        this.time = time;
        this.begins = begins;
        this.ends = ends;
    }

    /** Nothing can be recorded: nothing moves. */
    static Outage ofApiServer(Duration time) {
        return new Outage("API server away for " + time, time, all -> all.tap.away(true), all -> all.tap.away(false));
    }

    /** Nothing is heard of the driver and nothing it is told arrives: nothing moves. */
    static Outage halfOpen(Duration time) {
        return new Outage(
                "driver half open for " + time,
                time,
                all -> all.deviceTap.halfOpen(true),
                all -> all.deviceTap.halfOpen(false));
    }

    /** Every write until the end of the act takes its time. */
    static Outage slow(DeviceTap.Delay delay) {
        return new Outage(
                "driver slow: writes arrive after " + delay.before() + " and are answered after " + delay.after(),
                Duration.ZERO,
                all -> all.deviceTap.delay(delay),
                all -> {});
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void begin(Installation all) {
        begins.accept(all);
    }

    @Override
    public void meanwhile(Installation all, LightLog light) throws InterruptedException {
        if (time.isPositive()) {
            TimeUnit.NANOSECONDS.sleep(SETTLED.toNanos());
            light.read();
            int moves = light.moves();
            TimeUnit.NANOSECONDS.sleep(time.minus(SETTLED).toNanos());
            light.read();
            assertThat(light.moves()).as("light moves, %s", name).isEqualTo(moves);
        }
        ends.accept(all);
    }

    @Override
    public void end(Installation all, LightLog light) {
        all.deviceTap.delay(DeviceTap.Delay.NONE);
    }

    @Override
    public boolean met() {
        return true;
    }
}
