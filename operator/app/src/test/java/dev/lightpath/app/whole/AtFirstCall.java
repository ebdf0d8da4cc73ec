package dev.lightpath.app.whole;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Something happens to the driver when the first change of the act is on its way there, or its answer on the way back.
 */
final class AtFirstCall implements Disturbance, WriteTap.Listener {
    private final String what;
    private final boolean after;
    private final Consumer<Installation> happens;
    private final AtomicBoolean met = new AtomicBoolean();
    private volatile Installation all;

    private AtFirstCall(String what, boolean after, Consumer<Installation> happens) {
        this.what = what;
        this.after = after;
        this.happens = happens;
    }

    static List<Disturbance> each() {
        return Stream.of(false, true)
                .<Disturbance>mapMulti((after, to) -> {
                    to.accept(new AtFirstCall("connection cut", after, all -> all.deviceTap.cut()));
                    to.accept(new AtFirstCall("driver restarted", after, all -> all.replaceDriver(false)));
                    to.accept(new AtFirstCall("driver restarted empty", after, all -> all.replaceDriver(true)));
                })
                .toList();
    }

    @Override
    public String name() {
        return what + (after ? " after" : " before") + " the first change";
    }

    @Override
    public void begin(Installation installation) {
        all = installation;
        all.deviceTap.listen(this);
    }

    @Override
    public boolean before(int number, String call) {
        return after || happens();
    }

    @Override
    public void after(int number, String call) {
        if (after) {
            var unused = happens();
        }
    }

    private boolean happens() {
        if (met.compareAndSet(false, true)) {
            happens.accept(all);
        }
        return true;
    }

    @Override
    public void end(Installation installation, LightLog light) {
        all.deviceTap.listen(WriteTap.SILENT);
    }

    @Override
    public boolean met() {
        return met.get();
    }
}
