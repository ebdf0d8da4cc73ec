package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;

/**
 * The operator is killed right before a write or call reaches its goal, or right after it was answered and before it
 * hears of it.
 */
final class Kill implements Disturbance, WriteTap.Listener {
    private final String moment;
    private final boolean after;
    private final boolean behind;
    private final Moments moments = new Moments();
    private volatile Installation all;
    private volatile long killedNanos;
    private volatile boolean met;
    private volatile String dueAfter = "";

    /** @param behind whether it hears of nothing after its lists until some seconds have passed, when it comes back */
    Kill(String moment, boolean after, boolean behind) {
        this.moment = moment;
        this.after = after;
        this.behind = behind;
    }

    @Override
    public String name() {
        return "killed " + (after ? "after " : "before ") + moment + (behind ? ", back while watches begin late" : "");
    }

    @Override
    public void begin(Installation installation) throws Exception {
        all = installation;
        if (behind) {
            all.tap.holdWatches();
        }
        all.tap.listen(this);
        all.deviceTap.listen(this);
    }

    /** The end counts once somebody leads again. */
    @Override
    public void still(Installation installation) {
        if (behind && met && System.nanoTime() - killedNanos > TimeUnit.SECONDS.toNanos(8)) {
            all.tap.catchUp();
        }
        assertThat(!met || all.isLed()).as("an operator leads again").isTrue();
    }

    @Override
    public void end(Installation installation, LightLog light) {
        all.tap.catchUp();
        all.tap.listen(WriteTap.SILENT);
        all.deviceTap.listen(WriteTap.SILENT);
    }

    @Override
    public boolean met() {
        return met;
    }

    @Override
    public boolean before(int number, String what) {
        boolean due = moments.write(what).equals(moment);
        if (due && !after) {
            kill();
            return false;
        }
        if (due) {
            dueAfter = what;
        }
        return true;
    }

    @Override
    public void after(int number, String what) {
        if (what.equals(dueAfter)) {
            dueAfter = "";
            kill();
        }
    }

    private void kill() {
        met = true;
        killedNanos = System.nanoTime();
        all.kill();
    }
}
